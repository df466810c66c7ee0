import RowcastModel

extension ListStore {
  /// Attaches a source: each of its events becomes one transaction.
  ///
  /// The next event is asked for when the transaction of the one before it is done, so a fast source never piles up.
  /// A source that ends or fails leaves the store as it is; the error is in the binding's ``SourceBinding/outcome``.
  ///
  ///     let binding = store.attach(socket.events) { list, event in
  ///       try list.append(Message(event), to: event.channel)
  ///     }
  ///
  /// - Parameters:
  ///   - events: Any asynchronous sequence.
  ///   - onRejection: Decides what follows when `apply` threw, which undid that event. The default is to stop.
  ///   - apply: Turns one event into edits of the list.
  /// - Returns: The tie between both. Cancel it or drop it to detach the source.
  public nonisolated func attach<Events: AsyncSequence>(
    _ events: sending Events,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) -> SourceBinding where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    let core = core
    return SourceBinding(
      Task {
        do {
          for try await event in events {
            if Task.isCancelled { return .detached }
            do {
              try await core.edit { try apply(&$0, event) }
            } catch let error as ListStoreError {
              return .failed(error)
            } catch {
              if await onRejection(event, error) == .stop { return .failed(error) }
            }
          }
          return Task.isCancelled ? .detached : .finished
        } catch {
          return Task.isCancelled ? .detached : .failed(error)
        }
      })
  }
}
