/// A generator of random numbers from a seed.
///
/// G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

extension SplitMix64 {
  /// The seed that the environment gives as `ROWCAST_SEED`; `nil` without a text. A text that is no seed stops the process, as the
  /// numbers of another seed would repeat nothing.
  package static func seed(from text: String?) -> UInt64? {
    let words = text?.split(whereSeparator: \.isWhitespace) ?? []
    if words.isEmpty { return nil }
    let seed = words.count == 1 ? UInt64(words[0]) : nil
    require(seed != nil, "ROWCAST_SEED is a number from 0 to \(UInt64.max), not \"\(text ?? "")\"")
    return seed
  }
}
