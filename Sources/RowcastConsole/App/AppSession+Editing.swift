#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastTable

  /// The edits that a person makes with keys. One follows another as soon as the list shows that, or the app has answered it: so
  /// the app is asked in the order of the keys.
  struct KeyEdits<Section: ConsoleSection, Row: ConsoleRow> {
    enum Edit {
      /// Moves a row up, which is -1, or down, which is 1, past another one of its section or of the row that it stands under.
      case move(Row.ID, by: Int)
      case delete(Row.ID)
    }

    var waiting: [Edit] = []
    /// The newest edit that was asked for: the number of its action, its row, and the effect by which the list shows it.
    var asked: (number: Int, row: Row.ID, effect: Effect)?

    /// The effect of an edit on a row.
    enum Effect {
      case isGone
      /// The row stands in front of another one, or at the end of its section, or of those under one row.
      case precedes(Row.ID?)
    }
  }

  extension AppSession {
    /// Makes an edit of the focused row when those before it have been made.
    func editFocusedRow(to action: String, _ edit: (Row.ID) -> KeyEdits<Section, Row>.Edit) {
      guard let id = table.focusedID else {
        return say("no row is focused: \(keys(of: .down)) chooses the one to \(action)")
      }
      keyEdits.waiting.append(edit(id))
      goOnEditing()
    }

    /// Asks the app for the edits that wait, as far as those before are shown or answered.
    func goOnEditing() {
      if let asked = keyEdits.asked, isShown(asked.effect, of: asked.row) { keyEdits.asked = nil }
      while keyEdits.asked == nil, !keyEdits.waiting.isEmpty { ask(keyEdits.waiting.removeFirst()) }
    }

    private func ask(_ edit: KeyEdits<Section, Row>.Edit) {
      switch edit {
      case .move(let id, let step): move(id, by: step)
      case .delete(let id):
        guard let onDelete = app.onDelete else { return }
        guard path(of: id) != nil else { return tell("the row has left the list: nothing was deleted") }
        ask("delete", id, for: .isGone) { try await onDelete(id) }
      }
    }

    private func move(_ id: Row.ID, by step: Int) {
      guard let onMove = app.onMove, let path = path(of: id) else { return }
      if isSorted { return say("sorted rows cannot be moved: \(keys(of: .sort)) goes on to the order as they come") }
      guard let target = neighbour(of: path, step) else { return }
      let next = (step < 0 ? target : neighbour(of: target, 1)).map { table.snapshot.row(at: $0).id }
      let section = table.snapshot.section(at: path.section).id
      ask("move", id, for: .precedes(next)) { try await onMove(id, next, section) }
    }

    private func isShown(_ effect: KeyEdits<Section, Row>.Effect, of id: Row.ID) -> Bool {
      // A row that is gone has nowhere to go.
      guard let path = path(of: id) else { return true }
      guard case .precedes(let next) = effect else { return false }
      return next == neighbour(of: path, 1).map { table.snapshot.row(at: $0).id }
    }

    /// The path of a row: the table follows that of the focused one, so that a long list is seldom searched.
    private func path(of id: Row.ID) -> RowPath? {
      table.focusedID == id ? table.focusedPath : table.snapshot.scanForPath(ofRow: id)
    }

    /// Asks the app for an edit of a row, which looks unconfirmed meanwhile.
    private func ask(
      _ name: String, _ id: Row.ID, for effect: KeyEdits<Section, Row>.Effect,
      _ action: @escaping @Sendable () async throws -> Void
    ) {
      start(name) { number in
        do { try await action() } catch { return .edited(number, refusal: "\(name): \(error)") }
        return .edited(number, refusal: nil)
      }
      unconfirmed.edited[actionCount] = id
      keyEdits.asked = (actionCount, id, effect)
    }

    /// Takes the answer to an edit.
    func takeAnswer(to number: Int, refusal: String?) {
      end(number)
      unconfirmed.edited[number] = nil
      if let refusal { tell(refusal) }
      if keyEdits.asked?.number == number { keyEdits.asked = nil }
      goOnEditing()
    }

    private func keys(of action: ConsoleAction) -> String {
      commands.commands.first { $0.name == action.rawValue }?.keys.first?.name ?? action.rawValue
    }
  }
#endif
