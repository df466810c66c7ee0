import Rowcast
import RowcastConsole

extension Session {
  /// Does what a key says.
  func handle(_ key: Key) async {
    if prompt != nil { return await type(key) }
    guard let screen, !isQuit(key) else { return }
    if screen.status.showsHelp {
      screen.status.showsHelp = false
      return wantFrame()
    }
    say(nil)
    if let command = scenario.commands.first(where: { $0.key == key }) { return await perform(command) }
    switch key {
    case "?": screen.status.showsHelp = true
    case "p": togglePause()
    case "u": await undo()
    case "f": table.followsTail.toggle()
    case .enter: table.toggleFocusedRow()
    case .escape: table.focus(nil)
    case .control("l"): screen.redraw()
    default: break
    }
    reportingFailure { try move(key) }
  }

  private func isQuit(_ key: Key) -> Bool {
    guard key == "q" || key == "Q" else { return false }
    end(.quit)
    return true
  }

  /// Moves the focus and the list as a key says.
  private func move(_ key: Key) throws {
    switch key {
    case .up, "k": try table.moveFocus(byRows: -1)
    case .down, "j": try table.moveFocus(byRows: 1)
    case .pageUp, "b": try page(-1)
    case .pageDown, " ": try page(1)
    case .home, "g":
      try table.scroll(toLine: 0)
      focusVisible(table.visibleRows.first)
    case .end, "G":
      try table.scroll(toLine: table.contentHeight)
      focusVisible(table.visibleRows.last)
    case "f" where table.followsTail: try table.scroll(toLine: table.contentHeight)
    default: break
    }
  }

  /// Moves list and focus by pages.
  private func page(_ pages: Int) throws {
    let line = table.visibleRows.firstIndex { $0.path == table.focusedPath }
    let top = table.topLine
    try table.scroll(byPages: pages)
    let rows = table.visibleRows
    guard let line, !rows.isEmpty else { return }
    // At the end of the list the focus goes on to the last row, as there is no page that could take it there.
    let index = table.topLine == top ? (pages > 0 ? rows.count - 1 : 0) : min(line, rows.count - 1)
    focusVisible(rows[index])
  }

  private func focusVisible(_ row: RetainedTable<Group, Item>.VisibleRow?) {
    if table.focusedPath != nil, let row { table.focus(row.row.id) }
  }

  private func undo() async {
    guard let list = history.goBack() else { return say(.message("nothing to undo")) }
    do { try await store.restore(list) } catch { say(.message("\(error)")) }
  }

  // MARK: - Commands of the scenario

  private func perform(_ command: KeyCommand) async {
    switch command.effect {
    case .action(let action):
      say(await action(table.focusedID).map { .message($0) })
    case .prompt(let label, let change):
      prompt = Prompt(key: command.key, label: label, former: typed[command.key] ?? "", change: change)
      showPrompt()
    }
  }

  /// Takes a key while a text is typed: Enter keeps the text, Escape goes back to the one before.
  private func type(_ key: Key) async {
    guard var open = prompt else { return }
    switch key {
    case .enter:
      prompt = nil
      showTyped()
      say(nil)
    case .escape:
      prompt = nil
      typed[open.key] = open.former
      showTyped()
      say(await open.change(open.former).map { .message($0) })
    default:
      guard open.take(key) else { return }
      prompt = open
      typed[open.key] = open.text
      showPrompt()
      _ = await open.change(open.text)
    }
  }

  /// Shows what is in effect of the texts that were typed.
  private func showTyped() {
    screen?.status.typed = scenario.commands.compactMap { command in
      guard case .prompt(let label, _) = command.effect else { return nil }
      return typed[command.key].flatMap { $0.isEmpty ? nil : label + $0 }
    }
  }

  private func showPrompt() {
    if let prompt { say(.prompt(prompt.label, text: prompt.text)) }
  }
}
