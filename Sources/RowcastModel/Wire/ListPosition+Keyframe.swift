extension ListPosition {
  /// The position of a whole list, read from the beginning of its line: nothing of its rows is looked at.
  ///
  /// It is found if `epoch`, `kind` and `revision` stand before the sections, as they do where keys are sorted. It is `nil`
  /// if the line is another message, or does not tell so early what it is.
  ///
  /// - Parameter line: The bytes of a message in JSON.
  /// - Complexity: O(1): fields before the sections are looked at, up to 128 bytes of each.
  public init?(ofKeyframe line: any Sequence<UInt8>) {
    var fields = LeadingFields(line.makeIterator())
    var isWhole = false
    var epoch: String?
    var revision: Int?
    for _ in 0..<8 {
      guard let (name, value, isText) = fields.next() else { return nil }
      switch name {
      case "kind":
        guard isText, value == "initial" else { return nil }
        isWhole = true
      case "epoch" where isText: epoch = value
      case "revision" where !isText: revision = Int(value)
      default: break
      }
      if isWhole, let epoch, let revision {
        self.init(epoch: epoch, revision: revision)
        return
      }
    }
    return nil
  }
}

/// The fields of a JSON object, from its beginning to the first that is no plain text, number or word.
private struct LeadingFields {
  private var bytes: any IteratorProtocol<UInt8>
  /// The first byte that was not taken yet.
  private var byte: UInt8?
  /// What stands before the next field.
  private var separator = UInt8(ascii: "{")

  init(_ bytes: any IteratorProtocol<UInt8>) {
    self.bytes = bytes
    byte = self.bytes.next()
  }

  /// The next field; `nil` if there is none, or it cannot be told here what it is.
  mutating func next() -> (name: String, value: String, isText: Bool)? {
    guard take(separator), let name = text(), take(UInt8(ascii: ":")) else { return nil }
    separator = UInt8(ascii: ",")
    if let text = text() { return (name, text, true) }
    let word = run { $0 > UInt8(ascii: " ") && !#",:"\[]{}"#.utf8.contains($0) }
    return word.map { (name, $0, false) }
  }

  private mutating func take(_ expected: UInt8) -> Bool {
    while let space = byte, [0x20, 0x09, 0x0A, 0x0D].contains(space) { byte = bytes.next() }
    guard byte == expected else { return false }
    byte = bytes.next()
    return true
  }

  /// A text without escapes, if one begins here.
  private mutating func text() -> String? {
    let quote = UInt8(ascii: "\"")
    guard take(quote) else { return nil }
    let text = run { $0 >= 0x20 && $0 != quote && $0 != UInt8(ascii: "\\") }
    return take(quote) ? text : nil
  }

  /// The bytes up to one of another kind; `nil` for none, and for more than are needed.
  private mutating func run(_ isPart: (UInt8) -> Bool) -> String? {
    var taken: [UInt8] = []
    while let next = byte, isPart(next), taken.count < 128 {
      taken.append(next)
      byte = bytes.next()
    }
    return taken.isEmpty ? nil : String(decoding: taken, as: UTF8.self)
  }
}
