/// All commands of an app with their keys: the app's commands, and the actions that every app has.
///
/// Keys, the page of help and the palette read this table. If the app gives a key to a command, the actions that have it by
/// default lose it. If several actions have a key by default, the first gets it.
struct CommandTable<RowID: Sendable> {
  let commands: [KeyCommand<RowID>]
  private let indexes: [Key: Int]

  /// - Parameters:
  ///   - own: The commands of the app, the most important first.
  ///   - actions: The actions that the app has.
  ///   - special: The commands of actions whose effects depend on the app.
  ///   - keys: The keys that the app gives to actions.
  /// - Throws: If the app gives a key to two commands.
  init(
    own: [KeyCommand<RowID>], actions: [ConsoleAction], special: [ConsoleAction: KeyCommand<RowID>] = [:],
    keys: [ConsoleAction: [Key]] = [:]
  ) throws(KeyClash) {
    var given: [Key: String] = [:]
    func give(_ keys: [Key], to name: String) throws(KeyClash) {
      for key in keys {
        if let other = given.updateValue(name, forKey: key) { throw KeyClash(key: key, commands: [other, name]) }
      }
    }
    for command in own { try give(command.keys, to: command.name) }
    for action in ConsoleAction.allCases { if let keys = keys[action] { try give(keys, to: action.rawValue) } }

    var taken = Set(given.keys)
    let others = actions.map { action in
      KeyCommand(
        keys: keys[action] ?? action.defaultKeys.filter { taken.insert($0).inserted }, label: action.label,
        help: special[action]?.help ?? action.help, special[action]?.effect ?? .builtIn(action), name: action.rawValue)
    }
    let leading = 2
    commands = others.prefix(leading) + own + others.dropFirst(leading)
    indexes = Dictionary(
      uniqueKeysWithValues: commands.enumerated().flatMap { index, command in command.keys.map { ($0, index) } })
  }

  /// The index of the command of a key.
  subscript(key: Key) -> Int? { indexes[key] }

  /// The lines of help. Commands with the same text share one.
  var help: [ScreenStatus.KeyHelp] {
    var lines: [ScreenStatus.KeyHelp] = []
    for command in commands where !command.keys.isEmpty {
      // A letter in upper case that does the same needs no mention.
      let names = command.keys.map(\.name).filter { $0 != "Q" }
      if let last = lines.last, last.explanation == command.help, case .builtIn = command.effect {
        lines[lines.count - 1].key += " " + names.joined(separator: " ")
      } else {
        lines.append((names.joined(separator: " "), command.label, command.help))
      }
    }
    return lines + [("^C ^Z", "", "interrupt, suspend")]
  }

  /// The commands whose names contain the typed letters in order, the best match first, as the palette shows them. Of equal
  /// matches, the command that ends the app is the last: Enter runs the first.
  func matches(_ text: String) -> [(index: Int, help: ScreenStatus.KeyHelp)] {
    let ranked = commands.enumerated().compactMap { index, command in
      // A match in the name counts more than one in the explanation, where almost any letter or two occur.
      let rank =
        Self.rank(of: text, in: command.name)
        ?? (text.count > 2 ? Self.rank(of: text, in: command.help).map { $0 + 1_000 } : nil)
      return rank.map { (index, $0) }
    }
    func place(_ match: (index: Int, rank: Int)) -> (Int, Int, Int) {
      (match.rank, commands[match.index].name == ConsoleAction.quit.rawValue ? 1 : 0, match.index)
    }
    return ranked.sorted { place($0) < place($1) }.map { index, _ in
      let command = commands[index]
      return (index, (command.keys.map(\.name).joined(separator: " "), command.name, command.help))
    }
  }

  /// The rank of a match of letters that may have others between them, as in "pgd" for "page down": the number of skipped
  /// letters, less for letters that begin a word, in the best possible match. `nil` if the letters do not occur in this
  /// order.
  static func rank(of text: String, in name: String) -> Int? {
    let letters = Array(name.lowercased())
    // The least rank of a match of the letters so far that ends at each position; nil if there is none.
    var ends: [Int?]?
    for letter in text.lowercased() where letter != " " {
      var next: [Int?] = []
      var best: Int?
      for (position, candidate) in letters.enumerated() {
        let isStart = position == 0 || letters[position - 1] == " "
        // The best match before this position; each skipped letter costs one.
        if position > 0 { best = [best.map { $0 + 1 }, ends?[position - 1]].compactMap(\.self).min() }
        let before = ends == nil ? position : best
        next.append(candidate == letter ? before.map { max(0, $0 - (isStart ? 3 : 0)) } : nil)
      }
      // The search for a long pasted text ends here.
      guard next.contains(where: { $0 != nil }) else { return nil }
      ends = next
    }
    guard let ends else { return 0 }
    return ends.compactMap(\.self).min()
  }
}

extension KeyCommand {
  /// True if the command acts on the focused row. All actions of the app's own are assumed to.
  var concernsFocusedRow: Bool {
    switch effect {
    case .builtIn(let action): action.concernsFocusedRow
    case .action: ConsoleAction(rawValue: name) != .sort
    case .question: true
    case .prompt, .text: false
    }
  }
}

#if canImport(RowcastPlatform)
  extension CommandTable {
    /// The commands of an app, with those that filter and sort its list.
    init<Section, Row>(
      _ app: ConsoleApp<Section, Row>, arranging: ListArranging<Section, Row>?
    ) throws(KeyClash) where RowID == Row.ID {
      let special = arranging?.actions ?? [:]
      let actions = ConsoleAction.allCases.filter { action in
        switch action {
        case .sort, .filter: special[action] != nil
        case .undo: app.onUndo != nil
        case .redo: app.onRedo != nil
        case .moveUp, .moveDown: app.onMove != nil
        case .delete: app.onDelete != nil
        default: !action.isForOutlines || arranging?.outline != nil
        }
      }
      try self.init(own: app.keys, actions: actions, special: special, keys: app.actionKeys)
    }
  }

  extension ConsoleApp {
    /// The lines of help that the app has: its own keys, and those of its actions.
    package var keyHelp: [ScreenStatus.KeyHelp] {
      get throws(KeyClash) {
        try CommandTable(self, arranging: plan.map { ListArranging($0, columns: columns, outline: outline) }).help
      }
    }
  }
#endif
