import Foundation
import Testing

@testable import RowcastConsole

/// The sinks that write lines.
@Suite(.watched) struct SinkTests {
  /// What a sink writes while a table shows two lists.
  private func lines<Sink: ConsoleSink<TestSection, TestRow>>(
    _ make: (@escaping (String) -> Void) -> Sink
  ) throws -> [String] {
    let before = try TestSnapshot.spelled("a 1:one 2:two 3:three | b 4:four")
    let after = try TestSnapshot([
      ListSection(TestSection("a", "A!"), rows: [TestRow(2, "two"), TestRow(3, "THREE"), TestRow(4, "four")]),
      ListSection(TestSection("n", "N"), rows: [TestRow(-9, "nine")]),
    ])
    let table = RetainedTable<TestSection, TestRow>(cells: CellRegistry<TestRow>.texts, height: 10)
    let texts = Texts()
    var sink = make { texts.all += $0 }
    for update in [
      TestUpdate(initial: before, revision: 0),
      TestUpdate(revision: 3, previous: 0, changes: before.changes(to: after), snapshot: after),
    ] {
      try table.apply(update)
      try sink.show(update, in: table)
    }
    return texts.all.split(separator: "\n").map(String.init)
  }

  private final class Texts { var all = "" }

  @Test func `the log says in words what happened`() throws {
    let all = [
      "#0 = list of 2 sections, 4 rows", "#0 = section 0: A (3 rows)", "#0 = row 0-0: one", "#0 = row 0-1: two",
      "#0 = row 0-2: three", "#0 = section 1: B (1 row)", "#0 = row 1-0: four",
      "#3 - section 1 deleted: B (1 row)", "#3 - row 0-0 deleted from A: one", "#3 + section 1 inserted: N (1 row)",
      "#3 + row 1-0 inserted in N: nine  negative", "#3 + row 0-2 inserted in A!: four", "#3 ~ section 0 updated: A!",
      "#3 ~ row 0-1 updated in A!: THREE",
    ]
    #expect(try lines { write in LogSink { write($0) } } == all)
    // What is beyond the limit is counted.
    let short = try lines { write in LogSink(operationLimit: 2) { write($0) } }
    #expect(short == [all[0], all[1], "#0 … and 5 more", all[7], all[8], "#3 … and 5 more"])
  }

  @Test func `a log that announces updates has a line for all that one did, and none for nothing`() throws {
    let words = AnnouncedChange.english()
    let said = try lines { write in LogSink(announcing: words) { write($0) } }
    #expect(said[0].hasPrefix("#0 = list"))
    #expect(said.dropFirst(7) == ["#3 nine  negative added, one removed, THREE changed, four moved"])
    #expect(try lines { write in LogSink(announcing: { _, _ in nil }) { write($0) } } == Array(said.prefix(7)))
    // As safe as any line.
    let hostile = try lines { write in LogSink(announcing: { _, _ in "a\u{1B}[2Jb\nc" }) { write($0) } }
    #expect(hostile.last == "#3 a␛[2Jb c, a␛[2Jb c, a␛[2Jb c, a␛[2Jb c")
  }

  @Test func `JSON is one line an update, its keys sorted`() throws {
    let lines = try lines { write in JSONSink { write(String(decoding: $0, as: UTF8.self)) } }
    #expect(lines.count == 2)
    #expect(
      lines[1] == """
        {"kind":"changes","previous":0,"revision":3,\
        "rows":{"deletes":[[0,0]],"inserts":[{"at":[0,2],"row":{"id":4,"text":"four"}}],"moves":[],\
        "updates":[{"from":[0,2],"row":{"id":3,"text":"THREE"},"to":[0,1]}]},\
        "sections":{"deletes":[1],"inserts":[{"at":1,"section":{"id":"n","rows":[{"id":-9,"text":"nine"}],"title":"N"}}],\
        "moves":[],"updates":[{"from":0,"title":"A!","to":0}]},"v":1}
        """)
  }

  @Test func `of two interleaved streams a sink writes what follows, and JSON can be folded`() throws {
    var random = SeededGenerator.forFuzzing("interleaved streams, sinks")
    let table = RetainedTable<TestSection, TestRow>(cells: CellRegistry<TestRow>(), height: 0)
    for round in 0..<SeededGenerator.rounds(12, long: 10_000) {
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
