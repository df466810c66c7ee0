#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastTable

  /// The edits that a person makes with keys. One follows another as soon as the list shows that, or the app has answered it: so
  /// the app is asked in the order of the keys.
  struct KeyEdits<Section: ConsoleSection, Row: ConsoleRow> {
    enum Edit {
      /// Moves a row by a number of rows within its section.
      case move(Row.ID, by: Int)
      case delete(Row.ID)
    }

    var waiting: [Edit] = []
    /// The number of the action of the newest edit that was asked for, and the condition on the list that shows it.
    var asked: (number: Int, isShown: (ListSnapshot<Section, Row>) -> Bool)?
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
      if let asked = keyEdits.asked, asked.isShown(table.snapshot) { keyEdits.asked = nil }
      while keyEdits.asked == nil, !keyEdits.waiting.isEmpty { ask(keyEdits.waiting.removeFirst()) }
    }

    private func ask(_ edit: KeyEdits<Section, Row>.Edit) {
      switch edit {
      case .move(let id, let rows): move(id, by: rows)
      case .delete(let id):
        guard let onDelete = app.onDelete else { return }
        ask("delete", id) {
          try await onDelete(id)
        } isShown: {
          $0.scanForPath(ofRow: id) == nil
        }
      }
    }

    private func move(_ id: Row.ID, by rows: Int) {
      guard let onMove = app.onMove, let path = table.snapshot.scanForPath(ofRow: id) else { return }
      if isSorted { return say("sorted rows cannot be moved: \(keys(of: .sort)) goes on to the order as they come") }
      let section = table.snapshot.rows(inSection: path.section)
      let target = path.row + rows
      guard section.indices.contains(target) else { return }
      let (before, sectionID) = (rows < 0 ? target : target + 1, table.snapshot.section(at: path.section).id)
      let next = before < section.count ? section[before].id : nil
      ask("move", id) {
        try await onMove(id, next, sectionID)
      } isShown: { list in
        guard let path = list.scanForPath(ofRow: id) else { return true }
        let section = list.rows(inSection: path.section)
        return next == (path.row + 1 < section.count ? section[path.row + 1].id : nil)
      }
    }

    /// Asks the app for an edit of a row, which looks unconfirmed meanwhile.
    private func ask(
      _ name: String, _ id: Row.ID, _ action: @escaping @Sendable () async throws -> Void,
      isShown: @escaping (ListSnapshot<Section, Row>) -> Bool
    ) {
      start(name) { number in
        do { try await action() } catch { return .edited(number, refusal: "\(name): \(error)") }
        return .edited(number, refusal: nil)
      }
      unconfirmed.edited[actionCount] = id
      keyEdits.asked = (actionCount, isShown)
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
