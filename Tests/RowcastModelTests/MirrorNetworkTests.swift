import RowcastDiff
import RowcastTestSupport
import Testing

@testable import RowcastModel

/// A mirror behind a network that loses, doubles, delays and reorders messages, with writers and mirrors that restart.
@Suite(.watched) struct MirrorNetworkTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirror = WireReader<TestSection, TestRow>

  /// A writer, and all states that it had.
  struct Writer {
    var list: TestSnapshot
    var revision = 0
    var lineage: Lineage
    var sent: TestSnapshot
    var sentPosition: ListPosition
    var history: [ListPosition: TestSnapshot]

    init(_ list: TestSnapshot, epoch: String) {
      (self.list, sent, lineage) = (list, list, Lineage(of: epoch))
      sentPosition = ListPosition(epoch: epoch, revision: 0)
      history = [sentPosition: list]
    }

    var position: ListPosition { ListPosition(epoch: lineage.epoch, revision: revision) }
    var keyframe: Message {
      .initial(revision: revision, snapshot: list, epoch: lineage.epoch, lineage: lineage.inMessage)
    }

    mutating func edit(_ random: inout SeededGenerator) {
      guard let next = try? TestSnapshot.random(sections: 3, rows: 8, using: &random) else { return }
      list = next
      revision += 1
      history[position] = list
    }

    /// What changed since the last message.
    mutating func message() -> Message {
      let changes = sent.changes(to: list)
      let update = ListUpdate(
        revision: revision, previous: sentPosition.revision, changes: changes, snapshot: list, epoch: lineage.epoch,
        previousEpoch: sentPosition.epoch)
      (sent, sentPosition) = (list, position)
      return Message(update)
    }

    /// Begins another list, or a run that goes on from any state that this one had, as a file does that lost its newest lines. Then
    /// positions of the same revision, but of the lost run, are of other lists.
    mutating func restart(_ number: Int, _ random: inout SeededGenerator) {
      let former = history
      let isOther = Int.random(in: 0..<4, using: &random) == 0
      let starts = former.filter { lineage.contains($0.key, upTo: revision) }.sorted {
        ($0.key.revision, $0.key.epoch) < ($1.key.revision, $1.key.epoch)
      }
      if isOther {
        self = Writer(Bool.random(using: &random) ? list : TestSnapshot(), epoch: "epoch \(number)")
      } else if let (start, list) = Bool.random(using: &random) ? starts.last : starts.randomElement(using: &random) {
        let last = lineage.runs.firstIndex { $0.epoch == start.epoch } ?? 0
        lineage = Lineage(Array(lineage.runs[...last])) ?? lineage
        lineage.begin("epoch \(number)", at: start.revision)
        (self.list, sent, sentPosition, revision) = (list, list, start, start.revision)
        history[position] = list
      }
      history.merge(former) { new, _ in new }
    }
  }

  /// What can go wrong in a schedule, in percent of messages.
  struct Weather {
    var loss = 0
    var doubling = 0
    var longestDelay = 0
    var restarts = 0
    var mirrorRestarts = 0

    init(_ random: inout SeededGenerator) {
      func draw(_ values: [Int]) -> Int { values.randomElement(using: &random) ?? 0 }
      loss = draw([0, 0, 10, 50])
      doubling = draw([0, 0, 20])
      longestDelay = draw([0, 0, 2, 10])
      restarts = draw([0, 0, 0, 5])
      mirrorRestarts = draw([0, 0, 5])
    }
  }

  /// How a mirror takes a message.
  typealias Receiver = (inout Mirror, Message) throws -> Void

  /// Runs one schedule; returns what went wrong.
  private func run(
    _ random: inout SeededGenerator, receive: Receiver = { mirror, message in _ = try mirror.receive(message) }
  ) throws -> String? {
    let weather = Weather(&random)
    func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    var writer = Writer(try TestSnapshot.random(sections: 3, rows: 8, using: &random), epoch: "epoch 0")
    var mirror = Mirror()
    var flying: [(time: Int, message: Message)] = []
    var partitionEnd = 0
    var visited: [String: Int] = [:]

    func deliver(_ message: Message) throws -> String? {
      let before = mirror.position
      try receive(&mirror, message)
      guard let position = mirror.position else { return nil }
      guard writer.history[position] == mirror.snapshot else {
        return "the writer was never at \(position) with this list"
      }
      guard before != position else { return nil }
      if let visited = visited[position.epoch], position.revision < visited {
        return "the mirror went back from \(String(describing: before)) to \(position)"
      }
      visited[position.epoch] = position.revision
      if case .following(let following) = mirror.state, following != position {
        return "\(mirror.state) at \(position)"
      }
      return nil
    }

    func send(_ message: Message, at time: Int) {
      if time < partitionEnd || happens(weather.loss) { return }
      for _ in 0..<(happens(weather.doubling) ? 2 : 1) {
        flying.append((time + Int.random(in: 0...weather.longestDelay, using: &random), message))
      }
    }

    send(writer.keyframe, at: 0)
    for time in 1...40 {
      if happens(weather.restarts) {
        writer.restart(time, &random)
        send(writer.keyframe, at: time)
      }
      if happens(weather.mirrorRestarts) {
        visited = [:]
        mirror = Bool.random(using: &random) ? Mirror() : Mirror(mirror.snapshot, at: mirror.position)
      }
      if weather.loss > 0, happens(3) { partitionEnd = time + 8 }
      for _ in 0..<Int.random(in: 0...2, using: &random) { writer.edit(&random) }
      if writer.revision > writer.sentPosition.revision { send(writer.message(), at: time) }
      if time % 10 == 0 { send(writer.keyframe, at: time) }
      let arriving = flying.filter { $0.time <= time }.shuffled(using: &random)
      flying.removeAll { $0.time <= time }
      for (_, message) in weather.longestDelay == 0
        ? arriving.sorted(by: { $0.message.revision < $1.message.revision }) : arriving
      {
        if let problem = try deliver(message) { return problem }
      }
    }
    // The network is quiet: what was on its way arrives, and then a keyframe gets through.
    for (_, message) in flying.shuffled(using: &random) { if let problem = try deliver(message) { return problem } }
    // A list that the mirror has left, for an older one whose whole list came too late, is believed again when it moves.
    writer.edit(&random)
    if let problem = try deliver(writer.keyframe) { return problem }
    guard mirror.state == .following(writer.position) else {
      return "\(mirror.state), but the writer is at \(writer.position)"
    }
    return mirror.snapshot == writer.list ? nil : "the lists differ at \(writer.position)"
  }

  @Test func `a mirror is always at a state of its writer, and equal when the network is quiet`() throws {
    let seeds = SeededGenerator.forFuzzing("networks")
    for schedule in 0..<SeededGenerator.rounds(400, long: 10_000) {
      var random = SeededGenerator(seed: seeds.seed &+ UInt64(schedule))
      let problem = try run(&random)
      #expect(problem == nil, "seed \(seeds.seed), schedule \(schedule)")
      if problem != nil { return }
    }
  }

  /// An error in a mirror.
  enum Fault: CaseIterable {
    case epochIgnored, keyframeOverNewerState, gapNotSeen

    /// Takes a message as a mirror with the error does.
    func receive(_ mirror: inout Mirror, _ message: Message) throws {
      var message = message
      switch (self, message, mirror.position) {
      case (.epochIgnored, .changes(var changes), let position?):
        changes.epoch = position.epoch
        message = .changes(changes)
      case (.keyframeOverNewerState, .initial(let revision, let list, let epoch, _), let position?)
      where epoch == position.epoch && revision < position.revision:
        mirror = Mirror(list, at: message.position)
        return
      case (.gapNotSeen, .changes(var changes), let position?)
      where changes.epoch == position.epoch && changes.previous > position.revision:
        changes.previous = position.revision
        message = .changes(changes)
      default: break
      }
      _ = try mirror.receive(message)
    }
  }

  @Test(arguments: Fault.allCases)
  func `a mirror with an error is found`(fault: Fault) throws {
    let seeds = SeededGenerator.forFuzzing("networks with an error")
    var schedules = 0
    var isFound = false
    while !isFound, schedules < 400 {
      var random = SeededGenerator(seed: seeds.seed &+ UInt64(schedules))
      // What does not fit the list is found by the mirror itself.
      do { isFound = try run(&random, receive: fault.receive) != nil } catch is WireError { isFound = true }
      schedules += 1
    }
    print("networks: \(fault) is found by schedule \(schedules)")
    #expect(isFound, "seed \(seeds.seed)")
  }
}
