import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Short for tests.
public typealias TestStore = ListStore<TestSection, TestRow>
/// Short for tests.
public typealias TestEditor = ListEditor<TestSection, TestRow>
/// Short for tests.
public typealias TestListError = ListError<String, Int>
/// Short for tests.
public typealias TestMessage = WireMessage<TestSection, TestRow>
/// Short for tests.
public typealias TestReader = WireReader<TestSection, TestRow>
/// Short for tests.
public typealias TestMirror = MirroredList<TestSection, TestRow>

extension ListPosition {
  /// A position in a run, of the epoch "e" unless another is named.
  public static func at(_ revision: Int, _ epoch: String = "e") -> ListPosition {
    ListPosition(epoch: epoch, revision: revision)
  }
}

extension AsyncStream {
  /// The next element: all iterators of a stream are one.
  public func next() async -> Element? {
    var iterator = makeAsyncIterator()
    return await iterator.next()
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// The next element: all iterators of a stream are one.
  public func next() async throws -> Element? {
    var iterator = makeAsyncIterator()
    return try await iterator.next()
  }
}

/// Checks one stream as its subscriber sees it: gapless, never empty, and folding to the snapshot.
public struct Follower: Sendable {
  /// What the updates fold to.
  public private(set) var list = NaiveList<TestSection, TestRow>()
  /// The newest revision.
  public private(set) var revision: Int?
  /// The number of updates.
  public private(set) var updates = 0

  /// Creates a follower that has seen nothing.
  public init() {}

  /// What was wrong with an update.
  public struct Broken: Error, CustomStringConvertible {
    /// What was wrong.
    public let description: String
  }

  /// Checks an update.
  public mutating func take(_ update: TestUpdate) throws {
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
  public static func following(_ stream: AsyncStream<TestUpdate>) async throws -> Follower {
    var follower = Follower()
    for await update in stream { try follower.take(update) }
    return follower
  }
}

extension ListStore<TestSection, TestRow> {
  /// A store with one section, "a", that has rows with these ids.
  public static func with(_ ids: [Int]) throws -> TestStore { TestStore(try .of(("a", ids))) }
}

/// A row that counts how often it is compared.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct CountedRow: RowViewModel {
  /// The identity.
  public let id: Int
  /// What is arranged by.
  public var key: Int
  /// Counts comparisons.
  public let comparisons: CallCount

  /// Creates a row.
  public init(id: Int, key: Int, comparisons: CallCount) {
    self.id = id
    self.key = key
    self.comparisons = comparisons
  }

  /// Compares the rows, and counts that.
  public static func == (lhs: CountedRow, rhs: CountedRow) -> Bool {
    lhs.comparisons.note(lhs.id == rhs.id && lhs.key == rhs.key)
  }
}
