import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

/// The state of a mirror, watched.
@Suite(.watched) struct MirrorStateTests {
  typealias Mirrored = MirroredList<TestSection, TestRow>

  private static func at(_ revision: Int, _ epoch: String = "e") -> ListPosition {
    ListPosition(epoch: epoch, revision: revision)
  }

  @Test func `each state is told when it comes, and the stream ends with the mirror`() async throws {
    var mirror: Mirrored? = Mirrored()
    var states = try #require(mirror).states.makeAsyncIterator()
    #expect(await states.next() == .waiting(for: .wholeList))
    let list = try TestSnapshot.of(("a", [1]))
    try await mirror?.receive(.initial(revision: 3, snapshot: list, epoch: "e"))
    #expect(await states.next() == .following(Self.at(3)))
    try await mirror?.receive(.end(revision: 5, updates: 4, epoch: "e"))
    #expect(await states.next() == .waiting(for: .changes(since: Self.at(3))))
    try await mirror?.receive(.initial(revision: 5, snapshot: list, epoch: "e"))
    #expect(await states.next() == .following(Self.at(5)))
    try await mirror?.receive(.end(revision: 5, updates: 4, epoch: "e"))
    #expect(await states.next() == .ended(Self.at(5)))
    mirror = nil
    #expect(await states.next() == nil)
  }

  @Test func `a reader of states that is slow gets the newest, and messages that change none tell none`() async throws {
    let mirror = Mirrored()
    var states = mirror.states.makeAsyncIterator()
    _ = await states.next()
    for revision in 1...9 {
      try await mirror.receive(.initial(revision: revision, snapshot: .init(), epoch: "e"))
    }
    #expect(await states.next() == .following(Self.at(9)))
    for _ in 0..<2 { try await mirror.receive(.initial(revision: 9, snapshot: .init(), epoch: "e")) }
    try await mirror.receive(.end(revision: 9, updates: 9, epoch: "e"))
    #expect(await states.next() == .ended(Self.at(9)))
  }

  @Test func `errors of a mirror are typed`() async throws {
    let mirror = Mirrored()
    do {
      try await mirror.receive(.initial(revision: -1, snapshot: .init(), epoch: "e"))
      Issue.record("a negative revision was taken")
    } catch {
      // This compiles only where the error has its type.
      let error: WireError = error
      #expect(error == .negativeRevision(-1))
    }
  }

  @Test func `a whole list at the position of the mirror changes nothing`() async throws {
    let one = try TestSnapshot.of(("a", [1]))
    let mirror = Mirrored(one, at: Self.at(4))
    let revision = await mirror.revision
    try await mirror.receive(.initial(revision: 4, snapshot: one, epoch: "e"))
    #expect(await mirror.revision == revision)
    #expect(await mirror.snapshot == one)
  }

  @Test func `a store has no epoch that a message cannot have`() async {
    await #expect(processExitsWith: .failure) { _ = TestStore(epoch: String(repeating: "e", count: 65)) }
  }
}
