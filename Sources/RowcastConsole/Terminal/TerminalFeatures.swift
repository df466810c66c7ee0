/// Features that only some terminals have. An app asks for them first, and uses those that the terminal reports.
package struct TerminalFeatures: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// All of a frame appears at once (mode 2026). It is used around each frame.
  static let synchronizedOutput = TerminalFeatures(rawValue: 1)
  /// The columns of text are those of its grapheme clusters (mode 2027), as `columnCount` counts emoji.
  static let graphemeWidths = TerminalFeatures(rawValue: 2)
  /// A message when the colours change (mode 2031).
  static let colorReports = TerminalFeatures(rawValue: 4)
  /// A message with the size when that changes (mode 2048).
  static let sizeReports = TerminalFeatures(rawValue: 8)
  /// Each key has a sequence of its own: the protocol of kitty.
  static let keyboard = TerminalFeatures(rawValue: 16)

  private static let modes: [(number: Int, feature: TerminalFeatures)] = [
    (2026, .synchronizedOutput), (2027, .graphemeWidths), (2031, .colorReports), (2048, .sizeReports),
  ]

  /// The feature that a mode switches on; `nil` for other modes.
  init?(mode: Int) {
    guard let known = Self.modes.first(where: { $0.number == mode }) else { return nil }
    self = known.feature
  }

  /// Questions to a terminal: about these features, answered by `TerminalInput.offers`, and about its background colour,
  /// answered by `TerminalInput.background`. The last question is one that every terminal answers (DA1), with
  /// `TerminalInput.identified`. Empty without questions.
  static func questions(offers: Bool, background: Bool) -> String {
    guard offers || background else { return "" }
    let features = offers ? modes.map { "\u{1B}[?\($0.number)$p" }.joined() + "\u{1B}[?u" : ""
    return "\(features)\(background ? "\u{1B}]11;?\u{7}" : "")\u{1B}[c"
  }

  /// The sequences that switch the features on. Those that switch them off are in `Platform.ends(ofScreenModes:)`, by the same bits.
  ///
  /// - Parameter isRepeated: True if they may be on already, as when a screen is entered again without having been left: the
  ///   flags of the keyboard are then set, not pushed once more.
  /// - Returns: The sequences; empty without features.
  func sequences(isRepeated: Bool) -> String {
    let modes = Self.modes.filter { $0.feature != .synchronizedOutput && contains($0.feature) }
    // Distinct keys (1), with the key of the basic layout (4), which Ctrl needs where letters are not Latin.
    let keys = contains(.keyboard) ? isRepeated ? "\u{1B}[=5;1u" : "\u{1B}[>5u" : ""
    return modes.map { "\u{1B}[?\($0.number)h" }.joined() + keys
  }
}

/// The answers of a terminal about its features.
struct TerminalOffer: Sendable {
  /// The features that the terminal has.
  private(set) var features: TerminalFeatures = []
  /// The features to switch on, and off at the end. The others are on for the programs before and after, too.
  private(set) var switchable: TerminalFeatures = []
  /// True when the terminal has answered all questions.
  private(set) var isComplete = false

  /// Takes an answer. Other input, and answers to later questions, change nothing.
  ///
  /// - Returns: True if it is the last answer.
  mutating func take(_ answer: TerminalInput) -> Bool {
    guard !isComplete else { return false }
    switch answer {
    case .offers(let feature, let isOn):
      features.formUnion(feature)
      // A frame begins and ends a synchronized output, whatever the mode was before.
      if !isOn || feature == .synchronizedOutput { switchable.formUnion(feature) }
    case .identified:
      isComplete = true
      return true
    default: break
    }
    return false
  }
}
