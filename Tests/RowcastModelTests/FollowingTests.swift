import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// A reader of messages takes changes that start from its list, and no others.
@Suite(.watched) struct FollowingTests {
  @Test func `of two interleaved streams a reader takes changes that start from its list, and no others`() throws {
    var random = SeededGenerator.forFuzzing("interleaved streams, readers")
    for round in 0..<SeededGenerator.rounds(120, long: 20_000) {
      let identity = [InterleavedStreams.Identity.epochs, .oneEpoch, .revisions][round % 3]
      var streams = InterleavedStreams(identity)
      var (strict, lenient) = (WireReader<TestSection, TestRow>(), WireReader<TestSection, TestRow>())
      for step in 0..<60 {
        let note = Comment(rawValue: "seed \(random.seed), round \(round), step \(step), \(identity)")
        let update = try streams.next(using: &random)
        for isStrict in [true, false] {
          var reader = isStrict ? strict : lenient
          let (before, position) = (reader.snapshot, reader.position)
          let result = Result { () throws(WireError) in
            try isStrict ? reader.fold(WireMessage(update)) : reader.receive(WireMessage(update))
          }
          let taken = (try? result.get()) ?? nil
          if update.previous != nil {
            try #require(
              (taken != nil) == update.mayFollow(epoch: position?.epoch, revision: position?.revision), note)
          }
          try #require(reader.snapshot == (taken == nil ? before : update.snapshot), note)
          try #require(isStrict || (try? result.get()) != nil || taken == nil, note)
          if isStrict { strict = reader } else { lenient = reader }
          // A strict reader of another list is another reader.
          if isStrict, update.previous == nil, taken == nil {
            strict = WireReader(update.snapshot, at: update.position)
          }
        }
      }
    }
  }
}
