#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastPlatform
  import RowcastTable

  extension AppSession {
    func handle(_ key: Key) throws -> ConsoleEnding? {
      // Some terminals encode these as keys.
      if key == .control("c") { return .signalled(.interrupt) }
      if key == .control("z"), !(terminal?.usesManualClock ?? true) {
        Platform.signalSelf(Platform.signals.suspend)
        return nil
      }
      switch mode {
      case .list: break
      case .help(let page):
        // The page hides all that a key could act on.
        var action: ConsoleAction?
        if let index = commands[key], case .action(let named) = commands.commands[index].effect { action = named }
        turnHelp(from: page, isLeaving: key == .escape || action == .help)
        if action != .quit { return nil }
      case .palette(let palette): return try handle(key, in: palette)
      case .prompt(let prompt):
        try handle(key, in: prompt)
        return nil
      case .confirmation(let confirmation):
        mode = .list
        if key == "y" || key == "Y" { run(confirmation.name, confirmation.action) }
        return nil
      }
      say(nil)
      return try commands[key].flatMap { try perform($0) }
    }

    /// Shows the page of help after one, or the list after the last.
    func turnHelp(from page: Int, isLeaving: Bool = false) {
      mode = !isLeaving && page + 1 < screen?.helpPages.count ?? 0 ? .help(page: page + 1) : .list
    }

    /// Runs the command of an index. Returns the reason if it ends the app.
    private func perform(_ index: Int) throws -> ConsoleEnding? {
      let command = commands.commands[index]
      if command.concernsFocusedRow, !actsOnSeenRow() { return nil }
      switch command.effect {
      case .action(let action): return try perform(action)
      case .own(.action(let action)):
        let id = table.focusedID
        run(command.name) { await action(id) }
      case .own(.prompt(let label, let change)):
        mode = .prompt(Prompt(.command(index, change), label: label, former: typed[index] ?? ""))
      case .own(.text(let label, let send)):
        mode = .prompt(Prompt(.text(command.name, send), label: label, former: ""))
      case .own(.question(let question, let action)):
        guard let id = table.focusedID else {
          say("no row is focused")
          return nil
        }
        mode = .confirmation(Confirmation(question: question(id), name: command.name) { await action(id) })
      }
      return nil
    }

    private func perform(_ action: ConsoleAction) throws -> ConsoleEnding? {
      switch action {
      case .quit: return .quit
      case .help: mode = .help(page: 0)
      case .palette: mode = .palette(Palette(commands: commands.matches("")))
      case .pause: togglePause()
      case .undo: if let undo = app.undo { run(action.rawValue) { await undo() } }
      case .follow:
        table.followsTail.toggle()
        if table.followsTail { try table.scroll(toLine: table.contentHeight) }
      case .search: 
        mode = .prompt(Prompt(.search, label: "search: ", former: search.matcher?.text ?? ""))
      case .nextHit: goOn(1)
      case .previousHit: goOn(-1)
      case .select: table.toggleFocusedRow()
      case .toggle: toggle()
      case .expand: try expand()
      case .collapse: try collapse()
      case .expandAll: fold(isExpanded: true, descendants: true)
      case .moveUp: editFocusedRow(to: "move") { .move($0, by: -1) }
      case .moveDown: editFocusedRow(to: "move") { .move($0, by: 1) }
      case .delete: editFocusedRow(to: "delete") { .delete($0) }
      case .leave: if search.matcher != nil { search(for: "") } else { table.focus(nil) }
      case .redraw: screen?.invalidate()
      case .up: try moveFocus(byRows: -1)
      case .down: try moveFocus(byRows: 1)
      case .pageUp: try page(-1)
      case .pageDown: try page(1)
      case .first:
        try table.scroll(toLine: 0)
        focusVisible(table.uncoveredRows.first)
      case .last:
        try table.scroll(toLine: table.contentHeight)
        focusVisible(table.visibleRows.last)
      // The list that is arranged has these.
      case .sort, .filter: break
      }
      return nil
    }

    /// Moves the focus, or gives it to the first row that the person sees: deleted rows may have taken the line of the table's first.
    func moveFocus(byRows rows: Int) throws {
      if table.focusedPath == nil, let path = firstSeenPath { return show(path) }
      try table.moveFocus(byRows: rows)
    }

    /// The first row on the screen as it was drawn last that is still in the list.
    var firstSeenPath: RowPath? {
      guard let seen = screen?.rows else { return nil }
      return seen.paths.lazy.compactMap(\.self).compactMap { [table] path in
        table.snapshot.scanForPath(ofRow: seen.list.row(at: path).id)
      }.first
    }

    /// Moves the list and the focus by pages.
    private func page(_ pages: Int) throws {
      let line = table.uncoveredRows.firstIndex { $0.path == table.focusedPath }
      let top = table.topLine
      try table.scroll(byPages: pages)
      let rows = table.uncoveredRows
      guard let line, !rows.isEmpty else { return }
      // At an end of the list, where no page follows, the focus moves to the outermost row.
      let index = table.topLine == top ? (pages > 0 ? rows.count - 1 : 0) : min(line, rows.count - 1)
      focusVisible(rows[index])
    }

    private func focusVisible(_ row: RetainedTable<Section, Row>.VisibleRow?) {
      if table.focusedPath != nil, let row { table.focus(row.row.id) }
    }

    // MARK: - The palette

    /// Handles a key while the palette is open.
    private func handle(_ key: Key, in former: Palette) throws -> ConsoleEnding? {
      var palette = former
      switch key {
      case .escape: mode = .list
      case .enter:
        mode = .list
        return try palette.commands.indices.contains(palette.chosen)
          ? perform(palette.commands[palette.chosen].index) : nil
      case .up, .control("p"):
        palette.chosen = max(0, palette.chosen - 1)
        mode = .palette(palette)
      case .down, .control("n"):
        palette.chosen = max(0, min(palette.commands.count - 1, palette.chosen + 1))
        mode = .palette(palette)
      default:
        guard palette.typed.take(key) else { return nil }
        if palette.typed.text != former.typed.text {
          (palette.commands, palette.chosen) = (commands.matches(palette.typed.text), 0)
        }
        mode = .palette(palette)
      }
      return nil
    }

    // MARK: - Commands of the app

    /// Runs an action beside those that run already, and shows the message that it returns. The end of the app cancels it.
    func run(_ name: String, _ action: @escaping @Sendable () async -> String?) {
      start(name) { .message(await action(), action: $0) }
    }

    /// Runs an action, by a new number, which ends with an event.
    func start(_ name: String, _ action: @escaping @Sendable (_ number: Int) async -> Event) {
      actionCount += 1
      works.insert(actionCount)
      show(running: name, as: actionCount)
      actions[actionCount] = Task { [send, number = actionCount] in
        Platform.reserveSignalStack()
        send.yield(await action(number))
      }
    }

    /// Forgets an action that has ended.
    func end(_ action: Int) {
      actions[action] = nil
      works.remove(action)
      show(running: nil, as: action)
    }

    /// Shows work that takes long, by its name, until it has ended, which is `nil`.
    func show(running name: String?, as number: Int) {
      let shown = screen?.status.running[number]?.start.advanced(by: ScreenStatus.slowness)
      screen?.status.running[number] = name.map { ($0, now) }
      if name != nil { wantFrame(at: now.advanced(by: ScreenStatus.slowness)) }
      if let shown, shown <= now { wantFrame() }
    }

    /// Passes a text to the command of a prompt, which takes one after the other; of those that wait, only the newest.
    /// The message that the command returns for a silent text is not shown.
    private func pass(_ text: String, to prompt: Prompt, isSilent: Bool) {
      guard case .command(let index, let change) = prompt.use else { return }
      if typing[index] == nil {
        let (texts, type) = AsyncStream.makeStream(of: TypedChange.self, bufferingPolicy: .bufferingNewest(1))
        typing[index] = type
        producers.append(
          Task { [send] in
            for await typed in texts {
              Platform.reserveSignalStack()
              let answer = await change(typed.text)
              if !typed.isSilent { send.yield(.message(answer, action: nil)) }
              send.yield(.typed(typed.number))
            }
          })
      }
      actionCount += 1
      works.insert(actionCount)
      let typed = TypedChange(number: actionCount, text: text, isSilent: isSilent)
      if case .dropped(let older)? = typing[index]?.yield(typed) { works.remove(older.number) }
    }

    /// Handles a key while a prompt is open: Enter keeps the text, Escape restores the former one.
    private func handle(_ key: Key, in former: Prompt) throws {
      var open = former
      switch key {
      case .enter:
        mode = .list
        switch open.use {
        case .search: goOn(1)
        case .text(let name, let send):
          let text = open.typed.text
          if !text.isEmpty { run(name) { await send(text) } }
        case .command: break
        }
      case .escape:
        mode = .list
        if open.typed.text != open.former { take(open.former, from: open, isSilent: false) }
      default:
        guard open.typed.take(key) else { return }
        mode = .prompt(open)
        if open.typed.text != former.typed.text { take(open.typed.text, from: open, isSilent: true) }
        return
      }
      showTyped()
    }

    private func take(_ text: String, from prompt: Prompt, isSilent: Bool) {
      switch prompt.use {
      case .search: search(for: text.isEmpty ? prompt.former : text)
      case .text: break
      case .command(let index, _):
        typed[index] = text
        pass(text, to: prompt, isSilent: isSilent)
      }
    }

    /// Shows which typed texts are in effect.
    private func showTyped() {
      screen?.status.typed = commands.commands.enumerated().compactMap { index, command in
        guard case .own(.prompt(let label, _)) = command.effect else { return nil }
        return typed[index].flatMap { $0.isEmpty ? nil : label + $0 }
      }
    }
  }
#endif
