#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastTable
  import RowcastViews

  extension AppSession {
    /// Requests updates from now on, each when the one before it was taken.
    func follow() {
      let (requests, taken) = AsyncStream.makeStream(of: Void.self)
      // A log shows no marks.
      let marked = screen == nil ? nil : app.pending.flatMap { app.list?.updates(with: $0) }
      pull = Task { [send, updates = app.updates] in
        func pass<Element>(_ updates: AsyncStream<Element>, _ event: (Element) -> Event) async {
          var requests = requests.makeAsyncIterator()
          for await update in updates {
            send.yield(event(update))
            await requests.next()
          }
        }
        if let marked {
          // A row and its mark change in one frame.
          await pass(marked) { .update($0.0, unconfirmed: $0.1, taken: taken) }
        } else {
          await pass(updates()) { .update($0, unconfirmed: [], taken: taken) }
        }
        if !Task.isCancelled { send.yield(.listEnded) }
      }
    }

    func take(_ update: ListUpdate<Section, Row>, isolation: isolated (any Actor)? = #isolation) async throws {
      let whole = update
      guard let update = continued(whole) else { return }
      app.didReceive?()
      await app.willTake?(table.snapshot, update)
      let (before, focus) = (table.snapshot, app.outline == nil ? nil : table.focusedPath)
      // The table finds the difference itself: from its own list, which may have an edit that no update has brought.
      var shown = update
      shown.changes = try table.apply(whole).changes
      if let focus { moveFocus(fromHidden: focus, in: before, shown.changes) }
      if screen == nil {
        try sink.show(update, in: table)
      } else {
        shown.revision = shownRevision(of: update)
        screen?.show(shown, in: table, at: now)
      }
      goOnEditing()
      updates += 1
      await app.didTake?(update.revision)
      if screen == nil {
        await app.didShow?(update.revision)
      } else {
        if let footer = app.footer { screen?.status.footer = footer(update.snapshot) }
        figures.areStale = true
        wantFrame()
      }
    }

    /// The revision for the screen. The list counts each filter and order, also one that changes nothing, or that another one replaced
    /// before anybody saw it. Here a filter or an order counts once, with the first update that has it.
    private func shownRevision(of update: ListUpdate<Section, Row>) -> Int {
      if arrangements.shown != arrangements.made, update.previous != nil { arrangements.changes += 1 }
      arrangements.shown = arrangements.made
      let revision = update.revision - arrangements.made + arrangements.changes
      // An update that was made before the newest arrangement does not go back.
      let former = update.previous == nil ? 0 : screen?.status.revision ?? 0
      screen?.status.revision = max(revision, former)
      return max(revision, former)
    }

    /// The first update of a later stream as the difference to the shown list; `nil` if that is the same one. A log begins anew with
    /// another list.
    private func continued(_ update: ListUpdate<Section, Row>) -> ListUpdate<Section, Row>? {
      guard update.previous == nil, let shown = table.position else { return update }
      if screen == nil, shown.epoch != update.epoch { return update }
      let changes = table.snapshot.changes(to: update.snapshot)
      if changes.isEmpty, shown == update.position { return nil }
      return ListUpdate(
        revision: update.revision, previous: shown.revision, changes: changes, snapshot: update.snapshot,
        epoch: update.epoch)
    }

    var isPaused: Bool { screen?.status.isPaused ?? false }

    /// Stops following the list, or follows it again. The changes of a pause arrive as one net update: a new stream starts
    /// with the whole list, and only its difference to the shown one is applied.
    func togglePause() {
      guard isPaused || mayPause else { return }
      screen?.status.isPaused.toggle()
      if isPaused { pull?.cancel() } else { follow() }
      wantFrame()
    }
  }
#endif
