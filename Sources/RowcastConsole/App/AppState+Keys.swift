#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastStore
  import RowcastTable
  import RowcastTerminal

  extension AppState {
    mutating func handle(_ key: Key, in scene: Scene) {
      // Some terminals encode these as keys.
      if key == .control("c") { return effects.append(.end(.signalled(ConsoleSignal.interrupt.number))) }
      if key == .control("z") { return effects.append(.suspend) }
      if redraws(key) { return redraw() }
      switch mode {
      case .list:
        say(nil)
        if let index = commands[key] { perform(index, in: scene) }
      case .help(let page): handle(key, onHelpPage: page, in: scene)
      case .palette(let palette): handle(key, in: palette, scene)
      case .prompt(let prompt): handle(key, in: prompt, scene)
      case .confirmation(_, let name, let action):
        mode = .list
        if key == "y" || key == "Y" { run(name, action) }
      }
    }

    /// True if a key redraws the screen although something is in front of the list: only the usual key does, as it edits no
    /// text.
    private func redraws(_ key: Key) -> Bool {
      guard key == .control("l"), let index = commands[key], case .builtIn(.redraw) = commands.commands[index].effect
      else { return false }
      switch mode {
      case .help, .palette, .prompt: return true
      case .list, .confirmation: return false
      }
    }

    private mutating func redraw() {
      effects.append(.redraw)
      wantFrame()
    }

    // MARK: - The list

    /// Runs the command at an index.
    private mutating func perform(_ index: Int, in scene: Scene) {
      let command = commands.commands[index]
      if command.concernsFocusedRow, !actsOnSeenRow(in: scene) { return }
      switch command.effect {
      case .builtIn(let action): perform(action, in: scene)
      case .action(let action): run(command.name) { [id = scene.focusedID] in await action(id) }
      case .prompt(let label, _):
        mode = .prompt(Prompt(command: index, label: label, former: typed[index] ?? ""))
      case .text(let label, _): mode = .prompt(Prompt(command: index, label: label, former: "", sends: true))
      case .question(let question, let action):
        guard let id = scene.focusedID else { return say("no row is focused") }
        mode = .confirmation(question: question(id), name: command.name) { await action(id) }
      }
    }

    /// Returns `true` if the focused row is the one that the person saw focused. Otherwise, a message says that nothing was
    /// done.
    private mutating func actsOnSeenRow(in scene: Scene) -> Bool {
      guard hasScreen else { return true }
      if scene.focusedID == seen.focus {
        guard let path = scene.focusedPath, !scene.isFocusInSight else { return true }
        effects.append(.table(.show(path)))
        say("the focused row was out of sight: nothing was done")
        return false
      }
      let isGone = seen.focus.map { scene.list.scanForPath(ofRow: $0) == nil } ?? false
      say(isGone ? "the focused row has left the list: nothing was done" : "the list has changed: nothing was done")
      return false
    }

    private mutating func perform(_ action: ConsoleAction, in scene: Scene) {
      switch action {
      case .quit: effects.append(.end(.quit))
      case .help: mode = .help(page: 0)
      case .palette: mode = .palette(Palette(commands: commands.matches("")))
      case .pause: togglePause()
      case .undo: if let undo = app.onUndo { run(action.rawValue) { await undo() } }
      case .redo: if let redo = app.onRedo { run(action.rawValue) { await redo() } }
      case .follow: effects.append(.table(.toggleFollowing))
      case .search: mode = .prompt(Prompt(command: nil, label: "search: ", former: status.search?.text ?? ""))
      case .nextHit: goToHit(1, in: scene)
      case .previousHit: goToHit(-1, in: scene)
      case .select: effects.append(.table(.toggleFocusedRow))
      case .toggle: if let path = scene.focusedPath { toggle(path, in: scene) }
      case .expand: expand(in: scene)
      case .collapse: collapse(in: scene)
      case .expandAll: if let path = scene.focusedPath { fold(path, isExpanded: true, descendants: true, in: scene) }
      case .moveUp: editFocusedRow(to: "move", by: -1, in: scene)
      case .moveDown: editFocusedRow(to: "move", by: 1, in: scene)
      case .delete: editFocusedRow(to: "delete", in: scene)
      case .leave: if status.search != nil { search(for: "") } else { effects.append(.table(.focus(nil))) }
      case .redraw: redraw()
      case .up: moveFocus(byRows: -1, in: scene)
      case .down: moveFocus(byRows: 1, in: scene)
      case .pageUp: effects.append(.table(.scrollPages(-1)))
      case .pageDown: effects.append(.table(.scrollPages(1)))
      case .first: effects.append(.table(.scrollToFirst))
      case .last: effects.append(.table(.scrollToLast))
      // These are commands of ``ListArranging``.
      case .sort, .filter: break
      }
    }

    /// Moves the focus. Without a focus, focuses the first row that the person sees: ghosts of deleted rows may have
    /// displaced the first row of the table.
    mutating func moveFocus(byRows rows: Int, in scene: Scene) {
      let path = scene.focusedPath == nil ? scene.firstSeenPath : nil
      effects.append(.table(path.map { .show($0) } ?? .moveFocus(byRows: rows)))
    }

    // MARK: - The help

    private mutating func handle(_ key: Key, onHelpPage page: Int, in scene: Scene) {
      // The page hides everything that a key could act on.
      var action: ConsoleAction?
      if let index = commands[key], case .builtIn(let named) = commands.commands[index].effect { action = named }
      if key == .escape || action == .help { mode = .list } else { turnHelp(from: page, in: scene) }
      if action == .quit { effects.append(.end(.quit)) }
    }

    /// Shows the next page of help, or the list after the last page.
    mutating func turnHelp(from page: Int, in scene: Scene) {
      let pages = status.helpPages(columns: scene.size.columns, height: scene.size.lines - 2).count
      mode = page + 1 < pages ? .help(page: page + 1) : .list
    }

    // MARK: - The palette

    private mutating func handle(_ key: Key, in former: Palette, _ scene: Scene) {
      var palette = former
      switch key {
      case .escape: return mode = .list
      case .enter:
        mode = .list
        if palette.commands.indices.contains(palette.chosen) {
          perform(palette.commands[palette.chosen].index, in: scene)
        }
        return
      case .up, .control("p"): palette.chosen = max(0, palette.chosen - 1)
      case .down, .control("n"): palette.chosen = max(0, min(palette.commands.count - 1, palette.chosen + 1))
      default:
        guard palette.typed.take(key) else { return }
        if palette.typed.text != former.typed.text {
          (palette.commands, palette.chosen) = (commands.matches(palette.typed.text), 0)
        }
      }
      mode = .palette(palette)
    }

    // MARK: - A prompt

    /// Enter keeps the text, Escape restores the previous one.
    private mutating func handle(_ key: Key, in former: Prompt, _ scene: Scene) {
      var open = former
      switch key {
      case .enter:
        mode = .list
        guard let index = open.command else {
          goToHit(1, in: scene)
          break
        }
        let (command, text) = (commands.commands[index], open.typed.text)
        if case .text(_, let send) = command.effect, !text.isEmpty { run(command.name) { await send(text) } }
      case .escape:
        mode = .list
        if open.typed.text != open.former { use(open.former, of: open, isSilent: false) }
      default:
        guard open.typed.take(key) else { return }
        mode = .prompt(open)
        if open.typed.text != former.typed.text { use(open.typed.text, of: open, isSilent: true) }
        return
      }
      // The typed texts that are in effect.
      status.typed = commands.commands.enumerated().compactMap { index, command in
        guard case .prompt(let label, _) = command.effect else { return nil }
        return typed[index].flatMap { $0.isEmpty ? nil : label + $0 }
      }
    }

    /// Passes a text to a command or a search. If it is silent, the message that the command returns is not shown.
    private mutating func use(_ text: String, of prompt: Prompt, isSilent: Bool) {
      guard let index = prompt.command else { return search(for: text.isEmpty ? prompt.former : text) }
      guard case .prompt(_, let change) = commands.commands[index].effect else { return }
      typed[index] = text
      workCount += 1
      works.insert(workCount)
      effects.append(.type((workCount, text, isSilent), command: index, change))
    }

    // MARK: - Edits

    /// Queues an edit of the focused row: see ``waitingEdits``.
    mutating func editFocusedRow(to action: String, by step: Int? = nil, in scene: Scene) {
      guard let id = scene.focusedID else {
        return say("no row is focused: \(keys(of: .down)) chooses the one to \(action)")
      }
      if status.isPaused, askedEdit != nil {
        return say("the list is paused and does not show the last edit: \(keys(of: .pause)) continues it")
      }
      waitingEdits.append((id, step))
      editNext(in: scene)
    }

    /// Starts the next queued edit once the list shows the previous one.
    mutating func editNext(in scene: Scene) {
      if let asked = askedEdit, isShown(asked, in: scene) {
        askedEdit = nil
        keepInSight(asked.row, in: scene)
      }
      while askedEdit == nil, !waitingEdits.isEmpty {
        let (id, step) = waitingEdits.removeFirst()
        if let step { move(id, by: step, in: scene) } else { delete(id, in: scene) }
      }
    }

    private mutating func delete(_ id: Row.ID, in scene: Scene) {
      guard let onDelete = app.onDelete else { return }
      guard scene.path(of: id) != nil else { return tell("the row has left the list: nothing was deleted") }
      ask("delete", id, isMove: false) { try await onDelete(id) }
    }

    private mutating func move(_ id: Row.ID, by step: Int, in scene: Scene) {
      guard let onMove = app.onMove, let path = scene.path(of: id) else { return }
      if isSorted {
        return say("sorted rows cannot be moved: press \(keys(of: .sort)) until it says \"as it comes\"")
      }
      guard let target = neighbour(of: path, step, in: scene.list) else { return }
      let next = (step < 0 ? target : neighbour(of: target, 1, in: scene.list)).map { scene.list.row(at: $0).id }
      let section = scene.list.section(at: path.section).id
      ask("move", id, isMove: true, before: next) { try await onMove(id, next, section) }
    }

    private func isShown(_ edit: AskedEdit, in scene: Scene) -> Bool {
      // Once the row is removed, there is nothing to wait for.
      guard let path = scene.path(of: edit.row) else { return true }
      // The app may have turned the edit into another one.
      if let wanted = edit.revision, let shown = scene.revision, shown >= wanted { return true }
      return edit.isMove && edit.next == neighbour(of: path, 1, in: scene.list).map { scene.list.row(at: $0).id }
    }

    /// Scrolls to the focused row after an edit has moved it, if the person saw it before.
    private mutating func keepInSight(_ id: Row.ID, in scene: Scene) {
      guard scene.focusedID == id, let path = scene.focusedPath, let rows = scene.rows else { return }
      let wasSeen = rows.paths.contains { $0.map { rows.list.row(at: $0).id } == id }
      if wasSeen { effects.append(.table(.show(path))) }
    }

    /// Asks the app for an edit of a row, which looks unconfirmed until the answer.
    private mutating func ask(
      _ name: String, _ id: Row.ID, isMove: Bool, before next: Row.ID? = nil,
      _ action: @escaping @Sendable () async throws -> Void
    ) {
      start(name) { [list = app.list] number in
        do { try await action() } catch { return .edited(number, revision: nil, refusal: "\(name): \(error)") }
        return .edited(number, revision: await list?.revision, refusal: nil)
      }
      unconfirmed.edited[workCount] = id
      askedEdit = AskedEdit(number: workCount, row: id, isMove: isMove, next: next)
    }

    /// Handles the answer to an edit. The next edit is computed from a list that has this one; the update is a separate
    /// event.
    mutating func takeAnswer(to number: Int, revision: Int?, refusal: String?, in scene: Scene) {
      end(number)
      unconfirmed.edited[number] = nil
      if let refusal { tell(refusal) }
      if askedEdit?.number == number {
        if refusal != nil {
          askedEdit = nil
        } else {
          // Without a list to ask for its revision, the revision of the next update counts.
          askedEdit?.revision = revision ?? scene.revision.map { $0 + 1 }
        }
      }
      editNext(in: scene)
      awaitEdit()
    }

    /// Waits a second for the list to show an edit that the app has answered.
    mutating func awaitEdit() {
      if let asked = askedEdit, unconfirmed.edited[asked.number] == nil { effects.append(.awaitEdit(asked.number)) }
    }

    /// Stops waiting for the list to show an edit: it may have been reverted before the list was read. A paused list shows no
    /// edits; the wait starts again when the list continues.
    mutating func giveUp(_ edit: Int, in scene: Scene) {
      if status.isPaused { return }
      if askedEdit?.number == edit { askedEdit = nil }
      editNext(in: scene)
    }

    func keys(of action: ConsoleAction) -> String {
      commands.commands.first { $0.name == action.rawValue }?.keys.first?.name ?? action.rawValue
    }
  }
#endif
