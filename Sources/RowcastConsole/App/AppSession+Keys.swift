#if canImport(RowcastPlatform)
  import RowcastPlatform
  import RowcastTable

  extension AppSession {
    func handle(_ key: Key) throws -> ConsoleEnding? {
      if prompt != nil {
        type(key)
        return nil
      }
      let command = commands.first { $0.key == key }
      if command == nil, key == "q" || key == "Q" { return .quit }
      guard let screen else { return nil }
      if screen.sink.status.showsHelp {
        screen.sink.status.showsHelp = false
        wantFrame()
        return nil
      }
      say(nil)
      if let command {
        perform(command)
        return nil
      }
      switch key {
      case "?": screen.sink.status.showsHelp = true
      case "p": togglePause()
      case "u": if let undo = app.extensions.undo { run { await undo() } }
      case "f":
        table.followsTail.toggle()
        if table.followsTail { try table.scroll(toLine: table.contentHeight) }
      case .enter: table.toggleFocusedRow()
      case .escape: table.focus(nil)
      case .control("l"): screen.sink.invalidate()
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
      default: break
      }
      return nil
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

    private func focusVisible(_ row: RetainedTable<Section, Row>.VisibleRow?) {
      if table.focusedPath != nil, let row { table.focus(row.row.id) }
    }

    // MARK: - Commands of the app

    /// Runs an action beside those that run already, and says what it returns. The end of the app cancels it.
    private func run(_ action: @escaping @Sendable () async -> String?) {
      actionCount += 1
      actions[actionCount] = Task { [send, number = actionCount] in
        Platform.reserveSignalStack()
        send.yield(.message(await action(), action: number))
      }
    }

    /// Has a prompt's command take a text. Such a command takes one text after the other; of those that wait, only the newest.
    private func change(_ prompt: Prompt, to text: TypedText) {
      if typing[prompt.key] == nil {
        let (texts, type) = AsyncStream.makeStream(of: TypedText.self, bufferingPolicy: .bufferingNewest(1))
        typing[prompt.key] = type
        producers.append(
          Task { [send] in
            for await text in texts {
              Platform.reserveSignalStack()
              let answer = await prompt.change(text.text)
              if !text.isSilent { send.yield(.message(answer, action: nil)) }
            }
          })
      }
      typing[prompt.key]?.yield(text)
    }

    private func perform(_ command: KeyCommand<Row.ID>) {
      switch command.effect {
      case .action(let action):
        let id = table.focusedID
        run { await action(id) }
      case .prompt(let label, let change):
        let text = typed[command.key] ?? ""
        prompt = Prompt(key: command.key, label: label, change: change, former: text, text: text)
        showPrompt()
      }
    }

    /// Takes a key while a text is typed: Enter keeps the text, Escape goes back to the one before.
    private func type(_ key: Key) {
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
        change(open, to: TypedText(text: open.former))
      default:
        guard open.take(key) else { return }
        prompt = open
        typed[open.key] = open.text
        showPrompt()
        change(open, to: TypedText(text: open.text, isSilent: true))
      }
    }

    /// Shows what is in effect of the texts that were typed.
    private func showTyped() {
      screen?.sink.status.typed = commands.compactMap { command in
        guard case .prompt(let label, _) = command.effect else { return nil }
        return typed[command.key].flatMap { $0.isEmpty ? nil : label + $0 }
      }
    }

    private func showPrompt() {
      if let prompt { say(.prompt(prompt.label, text: prompt.text)) }
    }
  }
#endif
