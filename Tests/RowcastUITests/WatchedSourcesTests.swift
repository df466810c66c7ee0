import Testing

@testable import RowcastUI

/// Which failure is shown of sources that fail, recover, end and take the place of others.
@Suite(.watched) struct WatchedSourcesTests {
  private struct Broken: Error {}

  /// What is known of one source: when it was attached and given up, by a clock that ticks once for each event.
  private struct Naive {
    let attached: Int
    var givenUp: Int?
    var isWaiting = false
    var hasWorked = false
    var isReplacement = false
    var isReplaced = false
    var isOver = false

    var fails: Bool { !isReplaced && (givenUp != nil || isWaiting) }
  }

  @Test func `the failure that is shown is the first of those that no later source has replaced`() {
    var random = SeededGenerator.forFuzzing("watched sources")
    for round in 0..<SeededGenerator.rounds(400, long: 200_000) {
      var (sources, naive): (WatchedSources, [Naive]) = (WatchedSources(), [])
      // Sources are attached first, and watched some time after.
      var attached: [Int] = []
      for tick in 0..<24 {
        let live = naive.indices.filter { !naive[$0].isOver }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: attached.append(tick)
        case 1:
          guard let time0 = attached.popLast() else { continue }
          #expect(sources.add(attachedAt: .seconds(time0)) == naive.count)
          naive.append(Naive(attached: time0))
        case let kind:
          guard let source = live.randomElement(using: &random) else { continue }
          let status: SourceStatus =
            switch kind {
            case 2: .connecting
            case 3: .live
            case 4: Bool.random(using: &random) ? .ended : .waiting(attempt: 1, delay: .zero, error: Broken())
            default: .failed(Broken())
            }
          naive[source].isWaiting = if case .waiting = status { true } else { false }
          naive[source].isOver = status.isFinal
          if kind == 2 || kind == 3 { naive[source].hasWorked = true }
          if case .failed = status { naive[source].givenUp = tick }
          // A source that worked and ended has no place to take.
          for later in naive.indices
          where naive[later].hasWorked && !naive[later].isReplacement && !naive[later].isReplaced
            && (!naive[later].isOver || naive[later].givenUp != nil || later == source)
          {
            let former = naive.indices.first { earlier in
              !naive[earlier].isReplaced && naive[earlier].givenUp.map { $0 < naive[later].attached } ?? false
            }
            guard let former else { continue }
            naive[former].isReplaced = true
            naive[later].isReplacement = true
          }
          sources.note(status, of: source, endedAt: status.isFinal ? .seconds(tick) : nil)
        }
        let expected = naive.first { $0.fails }
        let failure: SectionPhase? = expected.map {
          .failed(message: "Broken()", retry: $0.isWaiting ? .automatic : .never)
        }
        #expect(sources.failure == failure, "seed \(random.seed), round \(round), tick \(tick)")
      }
    }
  }
}
