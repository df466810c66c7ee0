import RowcastDiff
import RowcastModel
import RowcastStore
import TestSupport

typealias TestStore = ListStore<TestSection, TestRow>
typealias TestEditor = ListEditor<TestSection, TestRow>
typealias TestListError = ListError<String, Int>

/// Checks one stream as its subscriber sees it: gapless, never empty, and folding to the snapshot.
struct Follower {
  private(set) var list = NaiveList<TestSection, TestRow>()
  private(set) var revision: Int?
  private(set) var updates = 0

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  mutating func take(_ update: TestUpdate) throws {
    guard update.previous == revision else {
      throw Broken(
        description: "update from \(String(describing: update.previous)) after \(String(describing: revision))")
    }
    if let revision, update.revision <= revision {
      throw Broken(description: "revision \(update.revision) after \(revision)")
    }
    if revision != nil, update.changes.isEmpty { throw Broken(description: "empty update \(update.revision)") }
    try list.fold(update.changes, after: update.snapshot)
    guard list == NaiveList(update.snapshot) else {
      throw Broken(description: "the fold is not the snapshot at revision \(update.revision)")
    }
    revision = update.revision
    updates += 1
  }

  /// Follows a stream to its end.
  static func following(_ stream: AsyncStream<TestUpdate>) async throws -> Follower {
    var follower = Follower()
    for await update in stream { try follower.take(update) }
    return follower
  }
}

extension ListStore<TestSection, TestRow> {
  /// A store with one section, "a", that has rows with these ids.
  static func with(_ ids: [Int]) throws -> TestStore { TestStore(try .of(("a", ids))) }
}

/// A row that counts how often it is compared.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct CountedRow: RowViewModel {
  let id: Int
  var key: Int
  let comparisons: CallCount

  static func == (lhs: CountedRow, rhs: CountedRow) -> Bool {
    lhs.comparisons.note(lhs.id == rhs.id && lhs.key == rhs.key)
  }
}
