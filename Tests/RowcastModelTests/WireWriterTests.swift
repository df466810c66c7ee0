import RowcastModel
import RowcastTestSupport
import Testing

@Suite(.watched) struct WireWriterTests {
  typealias Writer = WireWriter<TestSection, TestRow>

  private func update(_ revision: Int) throws -> TestUpdate {
    let list = try TestSnapshot.of(("a", Array(0..<revision)))
    if revision == 0 { return TestUpdate(initial: list, revision: 0) }
    let before = try TestSnapshot.of(("a", Array(0..<revision - 1)))
    return TestUpdate(revision: revision, previous: revision - 1, changes: before.changes(to: list), snapshot: list)
  }

  /// The revisions at which the whole list is written, the first one included.
  private func wholeLists(_ keyframes: KeyframePolicy, seconds: [Int]) throws -> [Int] {
    var writer = Writer(epoch: "e", keyframes: keyframes)
    var mirror = WireReader<TestSection, TestRow>()
    var found: [Int] = []
    for (revision, second) in seconds.enumerated() {
      let update = try update(revision)
      for message in writer.messages(for: update, at: .seconds(second)) {
        if case .initial(let revision, _, "e", _) = message { found.append(revision) }
        // A keyframe says nothing new to a mirror in step.
        let folded = try mirror.fold(message)
        #expect(folded == nil || folded?.revision == revision)
      }
      #expect(mirror.snapshot == update.snapshot)
    }
    return found
  }

  @Test(arguments: [
    (KeyframePolicy.never, Array(0..<20), [0]),
    (KeyframePolicy(everyUpdates: 5), Array(0..<17), [0, 5, 10, 15]),
    (KeyframePolicy(every: .seconds(10)), [0, 1, 2, 9, 10, 11, 12, 50, 51, 61], [0, 4, 7, 9]),
    // Of two limits the first that is reached counts.
    (KeyframePolicy(everyUpdates: 3, every: .seconds(10)), [0, 1, 2, 3, 4, 20, 21, 22, 23], [0, 3, 5, 8]),
  ])
  func `keyframes come after every so many updates, and with the first one after some time`(
    keyframes: KeyframePolicy, seconds: [Int], revisions: [Int]
  ) throws {
    #expect(try wholeLists(keyframes, seconds: seconds) == revisions)
  }
}
