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
      if screen?.status.showsHelp ?? false {
        screen?.status.showsHelp = false
        wantFrame()
        return nil
      }
      say(nil)
      if let command {
        perform(command)
        return nil
      }
      switch key {
      case "?": screen?.status.showsHelp = true
      case "p": togglePause()
      case "u": if let undo = app.undo { run { await undo() } }
      case "f":
        table.followsTail.toggle()
        if table.followsTail { try table.scroll(toLine: table.contentHeight) }
      case .enter: table.toggleFocusedRow()
      case .escape: table.focus(nil)
      case .control("l"): screen?.invalidate()
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

    /// Moves the list and the focus by pages.
    private func page(_ pages: Int) throws {
      let line = table.visibleRows.firstIndex { $0.path == table.focusedPath }
      let top = table.topLine
      try table.scroll(byPages: pages)
      let rows = table.visibleRows
      guard let line, !rows.isEmpty else { return }
      // At an end of the list, where no page follows, the focus moves to the outermost row.
      let index = table.topLine == top ? (pages > 0 ? rows.count - 1 : 0) : min(line, rows.count - 1)
      focusVisible(rows[index])
    }

    private func focusVisible(_ row: RetainedTable<Section, Row>.VisibleRow?) {
      if table.focusedPath != nil, let row { table.focus(row.row.id) }
    }

    // MARK: - Commands of the app

    private func perform(_ command: KeyCommand<Row.ID>) {
      switch command.effect {
      case .action(let action):
        let id = table.focusedID
        run { await action(id) }
      case .prompt(let label, let change):
        let text = typed[command.key] ?? ""
        prompt = Prompt(key: command.key, label: label, change: change, former: text, text: text)
      }
    }

    /// Runs an action beside those that run already, and shows the message that it returns. The end of the app cancels it.
    private func run(_ action: @escaping @Sendable () async -> String?) {
      actionCount += 1
      actions[actionCount] = Task { [send, number = actionCount] in
        Platform.reserveSignalStack()
        send.yield(.message(await action(), action: number))
      }
    }

    /// Passes a text to the command of a prompt, which takes one after the other; of those that wait, only the newest.
    /// The message that the command returns for a silent text is not shown.
    private func change(_ prompt: Prompt, to text: String, isSilent: Bool) {
      if typing[prompt.key] == nil {
        let (texts, type) = AsyncStream.makeStream(
          of: (text: String, isSilent: Bool).self, bufferingPolicy: .bufferingNewest(1))
        typing[prompt.key] = type
        producers.append(
          Task { [send] in
            for await (text, isSilent) in texts {
              Platform.reserveSignalStack()
              let answer = await prompt.change(text)
              if !isSilent { send.yield(.message(answer, action: nil)) }
            }
          })
      }
      typing[prompt.key]?.yield((text, isSilent))
    }

    /// Handles a key while a prompt is open: Enter keeps the text, Escape restores the former one.
    private func type(_ key: Key) {
      guard var open = prompt else { return }
      switch key {
      case .enter:
        prompt = nil
        showTyped()
      case .escape:
        prompt = nil
        typed[open.key] = open.former
        showTyped()
        change(open, to: open.former, isSilent: false)
      default:
        guard open.take(key) else { return }
        prompt = open
        typed[open.key] = open.text
        change(open, to: open.text, isSilent: true)
      }
    }

    /// Shows which typed texts are in effect.
    private func showTyped() {
      screen?.status.typed = commands.compactMap { command in
        guard case .prompt(let label, _) = command.effect else { return nil }
        return typed[command.key].flatMap { $0.isEmpty ? nil : label + $0 }
      }
    }
  }
#endif
