/// A list, and the lines of one connection to it.
struct SharedLines: Sendable {
  typealias Message = WireMessage<SoleSection, TestRow>

  /// Makes a transaction.
  let edit: @Sendable (@Sendable (inout ListEditor<SoleSection, TestRow>) throws -> Void) async throws -> Void
  let finish: @Sendable () async -> Void
  /// Reads lines until the end, as one of several tasks, and hands them on.
  let read: @Sendable (AsyncStream<Message>.Continuation) async throws -> Void
}

/// What is encoded, unless there is a row below zero in it.
func refusingRowsBelowZero<Line: Encodable>(_ line: Line) throws -> Line {
  let text = String(decoding: try JSONEncoder().encode(line), as: UTF8.self)
  if text.contains(#""id":-"#) { throw CancellationError() }
  return line
}

/// Checks, under many schedules, that several tasks that read one stream get each line once: each line leads on from the one before,
/// and the last one is the end, which counts them. Some lines have no news, and some revisions cannot be encoded.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
func expectEachLineOnce(_ make: @escaping @Sendable (ManualClock) -> SharedLines) async {
  for seed in 0..<UInt64(SeededGenerator.rounds(40, long: 10_000)) {
    let result = await Schedule.run(seed: seed) { try? await readTogether(make) }
    guard let messages = result.value ?? nil, !messages.isEmpty else {
      Issue.record("seed \(seed) is stuck")
      continue
    }
    let ends = messages.filter { $0.kind == "end" }
    var steps = messages.filter { $0.kind != "end" }.map { [$0.revision, $0.start?.revision ?? -1] }
    steps.sort { $0.lexicographicallyPrecedes($1) }
    #expect(steps[0][1] == -1 && steps.last?[0] == 28, "seed \(seed): \(steps)")
    for (step, following) in zip(steps, steps.dropFirst()) {
      #expect(following[1] == step[0], "seed \(seed): \(steps)")
    }
    guard ends.count == 1, case .end(28, steps.count, _) = ends[0] else {
      Issue.record("seed \(seed): \(ends) after \(steps)")
      continue
    }
  }
}

/// What three tasks read together.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private func readTogether(_ make: @Sendable (ManualClock) -> SharedLines) async throws -> [SharedLines.Message] {
  let clock = ManualClock()
  let lines = make(clock)
  for id in 0..<20 { try await lines.edit { try $0.upsert(TestRow(id)) } }
  let (messages, found) = AsyncStream.makeStream(of: SharedLines.Message.self)
  let time = Task { for _ in 0..<4 { await clock.advance(by: .seconds(1)) } }
  let readers = (0..<3).map { _ in Task { try await lines.read(found) } }
  for id in 20..<26 {
    try await lines.edit { try $0.upsert(TestRow(id)) }
    if id == 22 { try await lines.edit { try $0.upsert(TestRow(-1)) } }
    if id == 24 { try await lines.edit { try $0.remove(-1) } }
  }
  await time.value
  await lines.finish()
  for reader in readers { try await reader.value }
  found.finish()
  return await messages.reduce(into: []) { $0.append($1) }
}

extension WireMessage {
  var kind: String {
    switch self {
    case .initial: "initial"
    case .changes: "changes"
    case .progress: "progress"
    case .end: "end"
    case .run: "run"
    }
  }

  /// The kind, and the revisions between which the message leads: "changes 3→5".
  var summary: String { "\(kind) \(start.map { "\($0.revision)→" } ?? "")\(revision)" }
}
