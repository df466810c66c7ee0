import RowcastDiff

extension SectionPhase: Codable {
  /// The phases that are one word on the wire.
  private static var words: [String: SectionPhase] {
    ["idle": .idle, "loading": .loading, "loaded": .loaded, "empty": .empty]
  }

  /// Writes the phase: its name, or for a failure an object of `failed`, the message, and `retry`.
  public func encode(to encoder: any Encoder) throws {
    if case .failed(let message, let retry) = self {
      var container = encoder.container(keyedBy: WireField.self)
      try container.encode(message, forKey: .failed)
      try container.encode(retry, forKey: .retry)
    } else if let word = Self.words.first(where: { $0.value == self }) {
      var container = encoder.singleValueContainer()
      try container.encode(word.key)
    }
  }

  /// Reads the phase as it is written.
  ///
  /// - Throws: `DecodingError` for an unknown name or an object without `failed` and `retry`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let word = try? value.decode(String.self) else {
      let container = try decoder.container(keyedBy: WireField.self)
      self = .failed(
        message: try container.decode(String.self, forKey: .failed),
        retry: try container.decode(Retry.self, forKey: .retry))
      return
    }
    guard let phase = Self.words[word] else {
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription:
          "there is no phase \"\(word)\"; use \(Array(Self.words.keys).ascending.joined(separator: ", "))")
    }
    self = phase
  }
}
