/// Outside text as printable characters, none of them longer than `longestCharacter` scalars.
///
/// Each scalar of the text is replaced by a printable equivalent. Boundaries of characters are found in the output, not in
/// the input: two characters of the output never combine, and neutralising the output again changes nothing. Scalars are read
/// ahead only where necessary: one after a carriage return, up to nine after a black flag.
struct NeutralCharacters<Base: IteratorProtocol<Unicode.Scalar>> {
  private var base: Base
  /// The number of scalars of `base` that may still be read.
  private var remaining: Int
  /// True if the limit was reached with text left; known once ``next()`` has returned nil.
  private(set) var isTruncated = false
  /// Scalars of `base` that were not treated yet; the next one last.
  private var ahead: [Unicode.Scalar] = []
  /// Treated scalars that were not handed out yet; the next one last.
  private var ready: [Unicode.Scalar] = []
  /// How many of the scalars in `ahead` are the letters of a well-formed tag sequence.
  private var tagsToKeep = 0
  /// The last scalar handed out.
  private var previous: Unicode.Scalar?
  /// The first scalar of the next character, found after the last one.
  private var pending: Unicode.Scalar?

  /// `limit` is the maximum number of scalars to read.
  init(_ base: Base, limit: Int) {
    self.base = base
    remaining = limit
  }

  mutating func next() -> Character? {
    guard let first = pending ?? nextScalar() else { return nil }
    pending = nil
    var cluster = String(first)
    var count = 1
    var last = first
    while let scalar = nextScalar() {
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

  // MARK: - Scalars

  private mutating func nextScalar() -> Unicode.Scalar? {
    if let scalar = ready.popLast() {
      previous = scalar
      return scalar
    }
    guard let scalar = read() else { return nil }
    previous = printable(for: scalar)
    assert(tagsToKeep <= ahead.count, "\(tagsToKeep) tags are to be kept of \(ahead.count) scalars read ahead")
    return previous
  }

  /// The next scalar of the text that was not treated.
  private mutating func read() -> Unicode.Scalar? {
    if let scalar = ahead.popLast() { return scalar }
    if remaining > 0 {
      remaining -= 1
      return base.next()
    }
    // One more is read to learn if the text continues.
    isTruncated = isTruncated || base.next() != nil
    return nil
  }

  /// The first scalar to print for `scalar`; the others wait in `ready`.
  private mutating func printable(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch ScalarTreatment(scalar) {
    case .keep:
      if scalar == Self.blackFlag {
        findTagSequence()
      } else if previous == nil, scalar.isMark {
        // A mark at the start of the text would combine with what was printed before it.
        ready = [scalar]
        return Self.dottedCircle
      }
      return scalar
    case .space:
      if scalar == "\r" { skipLineFeed() }
      return " "
    case .picture(let picture): return picture
    case .name: return name(scalar)
    case .joiner: return previous?.takesJoiner == true ? scalar : name(scalar)
    case .variationSelector: return previous?.takesVariationSelector == true ? scalar : name(scalar)
    case .tag:
      guard tagsToKeep > 0 else { return name(scalar) }
      tagsToKeep -= 1
      return scalar
    }
  }

  private mutating func name(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ready = scalar.visibleName.unicodeScalars.dropFirst().reversed()
    return "<"
  }

  private mutating func skipLineFeed() {
    guard let scalar = read(), scalar != "\n" else { return }
    ahead.append(scalar)
  }

  /// Looks for the tags of a region after a black flag (`gbeng` and the cancel tag, say).
  ///
  /// A flag inside a longer character is left alone: its tags might be cut off with the end of that character.
  private mutating func findTagSequence() {
    guard ahead.isEmpty, previous.map({ $0 != "\u{200D}" && String($0).joined(Self.blackFlag) == nil }) ?? true
    else { return }
    var found: [Unicode.Scalar] = []
    while found.count < Self.longestTagSequence, let scalar = read() {
      found.append(scalar)
      if !scalar.isTagLetter { break }
    }
    if found.count > 1, found.last == Self.cancelTag { tagsToKeep = found.count }
    ahead = found.reversed()
  }

  private static var blackFlag: Unicode.Scalar { "\u{1F3F4}" }
  private static var cancelTag: Unicode.Scalar { "\u{E007F}" }
  private static var dottedCircle: Unicode.Scalar { "\u{25CC}" }
  /// Two letters of a country, up to five of a part of it, the cancel tag, and one to spare.
  private static var longestTagSequence: Int { 9 }
}

extension Unicode.Scalar {
  /// True if a joiner after this scalar has its purpose: to shape a script without letter case (Arabic, Persian, the scripts
  /// of India) or to join pictographs.
  fileprivate var takesJoiner: Bool {
    guard !isASCII else { return false }
    return isMark || properties.generalCategory == .otherLetter || isPictograph
  }

  /// True if a variation selector after this scalar picks a form; a second one in a row only hides data.
  fileprivate var takesVariationSelector: Bool {
    ScalarTreatment(self) == .keep && (!isASCII || properties.isEmoji)
  }

  /// True for the tag of a digit or a small letter.
  fileprivate var isTagLetter: Bool {
    (0xE0030...0xE0039).contains(value) || (0xE0061...0xE007A).contains(value)
  }
}

extension String {
  /// This character with one more scalar, if that belongs to it.
  func joined(_ scalar: Unicode.Scalar) -> String? {
    var joined = self
    joined.unicodeScalars.append(scalar)
    return joined.isOneCharacter ? joined : nil
  }

  /// True if this text, which must not be empty, is a single grapheme cluster.
  var isOneCharacter: Bool { index(after: startIndex) == endIndex }
}
