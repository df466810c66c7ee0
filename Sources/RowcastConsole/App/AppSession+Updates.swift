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
      guard let update = continued(update) else { return }
      app.didReceive?()
      await app.willTake?(table.snapshot, update)
      let (before, focus) = (table.snapshot, app.outline == nil ? nil : table.focusedPath)
      try table.apply(update)
      if let focus { moveFocus(fromHidden: focus, in: before, update.changes) }
      if screen == nil { try sink.show(update, in: table) } else { screen?.show(update, in: table, at: now) }
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

    /// The first update of a later stream as the difference to the shown list; `nil` if that is the same one.
    private func continued(_ update: ListUpdate<Section, Row>) -> ListUpdate<Section, Row>? {
      guard update.previous == nil, let revision = table.revision else { return update }
      let changes = table.snapshot.changes(to: update.snapshot)
      if changes.isEmpty, revision == update.revision { return nil }
      return ListUpdate(revision: update.revision, previous: revision, changes: changes, snapshot: update.snapshot)
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
