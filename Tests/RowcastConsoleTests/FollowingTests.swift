import Foundation
import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

@testable import RowcastConsole

/// Sinks write what follows that which they have written, and nothing else.
@Suite(.watched) struct FollowingTests {
  @Test func `of two interleaved streams a sink writes what follows, and JSON can be folded`() throws {
    var random = SeededGenerator.forFuzzing("interleaved streams, sinks")
    let table = RetainedTable<TestSection, TestRow>(cells: CellRegistry<TestRow>(), height: 0)
    for round in 0..<SeededGenerator.rounds(60, long: 10_000) {
      let identity = [InterleavedStreams.Identity.epochs, .oneEpoch, .revisions][round % 3]
      var streams = InterleavedStreams(identity)
      var (lines, texts): ([[UInt8]], [String]) = ([], [])
      var json = JSONSink<TestSection, TestRow>(epoch: "one for all") { lines.append($0) }
      var log = LogSink<TestSection, TestRow> { texts.append($0) }
      var (shown, reader): (TestUpdate?, WireReader<TestSection, TestRow>) = (nil, WireReader())
      for step in 0..<60 {
        let note = Comment(rawValue: "seed \(random.seed), round \(round), step \(step), \(identity)")
        let update = try streams.next(using: &random)
        // A sink of JSON may begin in the middle of a stream, which this test does not.
        if shown == nil, update.previous != nil {
          #expect(throws: TableError.self, note) { try log.show(update, in: table) }
          continue
        }
        let follows = update.mayFollow(epoch: shown?.epoch, revision: shown?.revision)
        (lines, texts) = ([], [])
        var errors = 0
        do throws { try json.show(update, in: table) } catch is TableError { errors += 1 }
        do throws { try log.show(update, in: table) } catch is TableError { errors += 1 }
        try #require(errors == (follows ? 0 : 2) && lines.isEmpty == !follows && texts.isEmpty == !follows, note)
        guard follows else { continue }
        shown = update
        if update.previous == nil { reader = WireReader() }
        for line in lines {
          let message = try JSONDecoder().decode(WireMessage<TestSection, TestRow>.self, from: Data(line))
          _ = try reader.fold(message)
        }
        try #require(reader.snapshot == update.snapshot, note)
      }
    }
  }
}
