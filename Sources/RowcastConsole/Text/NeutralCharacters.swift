/// Outside text as printable characters, none of them longer than `longestCharacter` scalars.
///
/// Boundaries are found in the output, not in the input: two characters of the output never grow together, and
/// neutralising the output again changes nothing.
struct NeutralCharacters<Base: IteratorProtocol<Unicode.Scalar>>: IteratorProtocol {
  private(set) var scalars: NeutralScalars<Base>
  /// The first scalar of the next character, found after the last one.
  private var pending: Unicode.Scalar?

  /// The limit is the most scalars that are read.
  init(_ base: Base, limit: Int = .max) { scalars = NeutralScalars(base, limit: limit) }

  mutating func next() -> Character? {
    guard let first = pending ?? scalars.next() else { return nil }
    pending = nil
    var cluster = String(first)
    var count = 1
    var last = first
    while let scalar = scalars.next() {
      guard let joined = Self.join(cluster, endingIn: last, with: scalar, isFull: count == longestCharacter) else {
        pending = scalar
        break
      }
      // A full character drops further scalars that would belong to it.
      guard count < longestCharacter else { continue }
      cluster = joined
      last = scalar
      count += 1
      if count == longestCharacter, last == "\u{200D}" {
        // Cut between two pictographs: the joiner would swallow the second and all that follow it.
        cluster.unicodeScalars.removeLast()
        count -= 1
        last = cluster.unicodeScalars.last ?? first
      }
    }
    assert(
      count <= longestCharacter && cluster.isOneCharacter,
      "\(cluster.unicodeScalars.map(\.visibleName)) is not one character of at most \(longestCharacter) scalars")
    return Character(cluster)
  }

  /// The cluster with one more scalar, or nothing if that scalar begins another character.
  private static func join(
    _ cluster: String, endingIn last: Unicode.Scalar, with scalar: Unicode.Scalar, isFull: Bool
  ) -> String? {
    // Found without the rules of segmentation: 70 columns of French take 6.5 µs, not 9.6, and of Japanese 7.0, not 8.3.
    if scalar.value < 0x300, last.value < 0x300 { return nil }
    if (0x3400..<0xA000).contains(scalar.value), (0x3041..<0xA000).contains(last.value) { return nil }
    if isFull, scalar.properties.generalCategory == .nonspacingMark { return cluster }
    return cluster.joined(scalar)
  }
}

/// The most scalars that one character may have. The longest in use – a family with skin tones, a flag of a region, a
/// Sanskrit conjunct – stay below; stacks of marks that paint over other lines do not.
let longestCharacter = 16
