public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// What a row has of a value that is loaded for it.
public struct LoadedValue<Value: Sendable>: Sendable {
  /// The value that was loaded last; `nil` before the first. While the value of another key is pending, or has failed, it is the
  /// former one.
  public let value: Value?
  /// True while the value is on its way, or waits for its turn.
  public let isPending: Bool
  /// The error of the load, if it has failed.
  public let error: (any Error)?

  @_alwaysEmitIntoClient
  init(value: Value? = nil, isPending: Bool = false, error: (any Error)? = nil) {
    (self.value, self.isPending, self.error) = (value, isPending, error)
  }
}

extension ListNode {
  /// The rows of another list, each with the value that is loaded for its key.
  @_alwaysEmitIntoClient
  static func loading<InputRow: RowViewModel, Key: Equatable & Sendable, Value: Sendable>(
    _ upstream: ListNode<Section, InputRow>, _ upstreams: Upstreams, _ key: @escaping (InputRow) -> Key?,
    from loader: Loader<Row.ID, Key, Value>, row: @escaping (InputRow, LoadedValue<Value>) throws -> Row
  ) -> ListNode where InputRow.ID == Row.ID {
    let requests = LoadRequests(to: loader)
    // No root: a list that reads it on several paths reads the rows on these, too.
    let values = upstreams.state(of: loader, roots: [])
    var requestCount = 0
    func entries(_ rows: [InputRow]) -> [(id: Row.ID, key: Key?)] {
      rows.compactMap { row in key(row).map { (row.id, $0) } }
    }
    let rows = ListNode<Section, InputRow>.following(
      upstream,
      rebuild: { list in
        requestCount += 1
        requests.send(current: entries(list.allRows.map { $0 }), isWhole: true)
      },
      step: { before, after in
        let touched = TouchedRows(contentOf: before.changes(to: after), from: before, to: after)
        let leaving = entries(touched.leaving.map { before.row(at: $0) }).map { $0.id }
        var current = entries(touched.arriving.map { after.row(at: $0) })
        for touch in touched.staying {
          guard let former = touch.former else { continue }
          let row = after.row(at: touch.path)
          let new = key(row)
          if key(before.row(at: former)) != new { current.append((row.id, new)) }
        }
        if leaving.isEmpty && current.isEmpty { return true }
        requestCount += 1
        requests.send(leaving: leaving, current: current)
        return true
      }, snapshot: upstream.snapshot, path: upstream.path, failures: upstream.failures)
    var (list, revision) = (ListSnapshot<SoleSection, LoadedRow<Row.ID, Key, Value>>(), Int?.none)
    let loaded = ListNode<SoleSection, LoadedRow<Row.ID, Key, Value>>(
      pull: {
        guard let newest = values.value, values.revision != revision else { return false }
        (list, revision) = (newest.list, values.revision)
        return true
      }, snapshot: { list })
    let joined = joining(rows, loaded, RowPartners(), key: { $0.id }) { input, loaded in
      guard let key = key(input) else { return try row(input, LoadedValue()) }
      guard let loaded, loaded.has(key) else {
        return try row(input, LoadedValue(value: loaded?.value, isPending: true))
      }
      return try row(input, LoadedValue(value: loaded.value, error: loaded.error))
    }
    return ListNode(
      pull: {
        let isChanged = joined.pull()
        // The list does not end before its last value is there.
        values.isFinal = values.value.map { $0.isIdle && $0.requestCount == requestCount } ?? false
        return isChanged
      }, snapshot: joined.snapshot, path: joined.path, failures: joined.failures)
  }
}

extension LiveList {
  /// The rows, each with a value that is loaded for it: thumbnails, look-ups at a server.
  ///
  ///     let photos = shown.loading(\.url, atMost: 4) { url in
  ///       try await thumbnail(url)
  ///     } row: { photo, thumbnail in
  ///       PhotoRow(id: photo.id, image: thumbnail.value, isLoading: thumbnail.isPending, hasFailed: thumbnail.error != nil)
  ///     }
  ///
  /// A row shows what it had, pending or failed, until its value is there. Values are loaded once the list is read, in the order
  /// of the rows, and once for each key of a row. If the key changes or the row leaves, the task is cancelled, and what it brings
  /// nevertheless is dropped. A load that failed is tried again when the key of its row changes: make the number of the try a
  /// part of it. Cut the list to a window before, to load only what is shown.
  ///
  /// - Parameters:
  ///   - key: What the value depends on, or `nil` for a row that needs none. It is asked a fixed number of times for each row
  ///     that changed, or whose load has ended.
  ///   - limit: The greatest number of loads at one time, at least 1. One that was cancelled counts until it returns.
  ///   - load: Loads the value of a key, in a task of its own. The tasks are cancelled when the app releases the list.
  ///   - row: Makes the row, with the id of the row of this list. If it throws, or the id is another one, the row is left out,
  ///     with the error in `failures` of the list. It is asked once for each row that changed, or whose load has ended.
  /// - Returns: The list, which can be watched and arranged. It ends when this one has ended, and all values are there.
  /// - Precondition: `limit` is positive.
  /// - Complexity: O(log n) for each row of n that changed, or whose load has ended.
  @_alwaysEmitIntoClient
  public func loading<Key: Equatable & Sendable, Value: Sendable, NewRow: RowViewModel>(
    _ key: @escaping @Sendable (Row) -> Key?, atMost limit: Int = 4,
    load: @escaping @Sendable (Key) async throws -> Value,
    row: @escaping @Sendable (Row, LoadedValue<Value>) throws -> NewRow
  ) -> DerivedList<Section, NewRow> where NewRow.ID == Row.ID {
    require(limit > 0, "\(limit) loads at a time load nothing; give at least 1")
    let source = ListNode.maker(of: self)
    return DerivedList(
      core: ViewCore { .loading(source($0), $0, key, from: Loader(atMost: limit, load), row: row) })
  }
}
