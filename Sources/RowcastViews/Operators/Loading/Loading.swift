public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The state of a value that is loaded for a row.
public struct LoadedValue<Value: Sendable>: Sendable {
  /// The value that was loaded last; `nil` before the first. While the load of another key is pending, or after it has failed,
  /// this is the former value.
  public let value: Value?
  /// True while the value is on its way, or waits for its turn.
  public let isPending: Bool
  /// The error of the load, if it has failed.
  public let error: (any Error)?

  @inlinable
  init(value: Value? = nil, isPending: Bool = false, error: (any Error)? = nil) {
    (self.value, self.isPending, self.error) = (value, isPending, error)
  }
}

/// A list as it is, with requests for the rows that have other keys.
///
/// An object: the join that follows reads the requests, too.
@usableFromInline
final class LoadRequests<Section: SectionViewModel, Row: RowViewModel, Key: Equatable & Sendable>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, Row>

  @usableFromInline let path: ((Row.ID) -> RowPath?)?
  @usableFromInline let key: (Row) -> Key?
  @usableFromInline let send: ([Row.ID], [(id: Row.ID, key: Key)]) -> Void
  @usableFromInline var output = Input()
  /// The number of requests.
  @usableFromInline var count = 0
  /// The requests of the rows with keys: the first since the row was inserted, and the last.
  @usableFromInline var ofRows: [Row.ID: (first: Int, last: Int)] = [:]

  @inlinable
  init(
    _ path: ((Row.ID) -> RowPath?)?, _ key: @escaping (Row) -> Key?,
    send: @escaping ([Row.ID], [(id: Row.ID, key: Key)]) -> Void
  ) {
    (self.path, self.key, self.send) = (path, key, send)
  }

  /// Rows that it had before keep their requests.
  @inlinable
  func rebuild(from list: Input) { step(output.changes(to: list), from: output, to: list) }

  @inlinable
  func step(_ changes: ListChanges, from before: Input, to after: Input) {
    output = after
    let touched = TouchedRows(contentOf: changes, from: before, to: after)
    var (former, current): ([Row.ID: Key], [(id: Row.ID, key: Key)]) = ([:], [])
    for path in touched.former {
      let row = before.row(at: path)
      former[row.id] = key(row)
    }
    for path in touched.current.ascending {
      let row = after.row(at: path)
      guard let new = key(row) else { continue }
      let old = former.removeValue(forKey: row.id)
      if let old, areUnchanged(old, new) { continue }
      current.append((row.id, new))
      ofRows[row.id] = (ofRows[row.id]?.first ?? count + 1, count + 1)
    }
    if former.isEmpty && current.isEmpty { return }
    for id in former.keys { ofRows[id] = nil }
    count += 1
    send(Array(former.keys), current)
  }

  /// The list that follows looks for changes itself.
  @inlinable
  func commit(from before: Input) -> Bool { true }
}

extension ListNode {
  /// The rows of another list, each with the value that is loaded for its key.
  @inlinable
  static func loading<InputRow: RowViewModel, Key: Equatable & Sendable, Value: Sendable>(
    _ upstream: ListNode<Section, InputRow>, _ upstreams: Upstreams, _ key: @escaping (InputRow) -> Key?,
    from loader: Loader<Row.ID, Key, Value>, row: @escaping (InputRow, LoadedValue<Value>) throws -> Row
  ) -> ListNode where InputRow.ID == Row.ID {
    // No root: a list that reads it on several paths reads the rows on these, too.
    let values = upstreams.state(of: loader, roots: [])
    let requests = LoadRequests<Section, InputRow, Key>(upstream.path, key, send: loader.send(leaving:current:))
    let rows = ListNode<Section, InputRow>(requests, reading: upstream)
    let loaded = ListNode<SoleSection, Loader<Row.ID, Key, Value>.Loaded>.reading(values, list: { $0.list })
    let joined = joining(rows, loaded.rowPartners, key: { $0.id }) { input, loaded in
      guard let request = requests.ofRows[input.id] else { return try row(input, LoadedValue()) }
      // A value that was loaded before the row left is dropped soon.
      guard let loaded = loaded?.label, loaded.number >= request.first else {
        return try row(input, LoadedValue(isPending: true))
      }
      let isPending = loaded.number < request.last
      return try row(
        input, LoadedValue(value: loaded.value, isPending: isPending, error: isPending ? nil : loaded.error))
    }
    return ListNode(
      pull: {
        let isChanged = joined.pull()
        // The list does not end before its last value is loaded.
        values.isFinal = values.value.map { $0.isIdle && $0.requestCount == requests.count } ?? false
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
  /// A row shows its former value, pending or failed, until its value is loaded. Values are loaded once the list is read, in the
  /// order of updates, and of the rows in each, and once for each key of a row. If the key changes or the row leaves, the task is
  /// cancelled, and any result of it is dropped. A row that returns is loaded again. A load that failed is tried again when the
  /// key of its row changes: include the number of the attempt in the key. To load only what is shown, cut the list to a window
  /// before.
  ///
  /// If a list reads one store on several paths, and this list is on one of them, that list rebuilds the operators: it loads the
  /// values for itself, with a limit of its own.
  ///
  /// - Parameters:
  ///   - key: What the value depends on, or `nil` for a row that needs none. It is asked a fixed number of times for each row
  ///     that changed. A key that is not equal to itself changes with its row, unless only numbers in it are not.
  ///   - limit: The greatest number of loads at one time, at least 1. One that was cancelled counts until it returns.
  ///   - load: Loads the value of a key, in a task of its own. The tasks are cancelled when the app releases the list.
  ///   - row: Makes the row, with the id of the row of this list. If it throws, or the id is another one, the row is left out,
  ///     with the error in `failures` of the list. It is asked once for each row that changed, or whose load has ended.
  /// - Returns: The list, which can be watched and arranged. It ends when this one has ended, and all values are loaded. A list
  ///   that is made from it and from another list of the same store or space loads the values again, for itself.
  /// - Precondition: `limit` is positive.
  /// - Complexity: O(log n) for each row of n that changed, or whose load has ended.
  @inlinable
  public func loading<Key: Equatable & Sendable, Value: Sendable, NewRow: RowViewModel>(
    _ key: @escaping @Sendable (Row) -> Key?, atMost limit: Int = 4,
    load: @escaping @Sendable (Key) async throws -> Value,
    row: @escaping @Sendable (Row, LoadedValue<Value>) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    require(limit > 0, "\(limit) loads at a time load nothing; give at least 1")
    let source = ListNode.maker(of: self)
    return ArrangedList(
      core: ViewCore { .loading(source($0), $0, key, from: Loader(atMost: limit, load), row: row) })
  }
}
