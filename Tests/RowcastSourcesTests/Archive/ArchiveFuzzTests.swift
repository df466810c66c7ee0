@testable import RowcastSources

/// All that happens to files of lists and to their mirrors, beside arrays.
@Suite(.watched) struct ArchiveFuzzTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `whatever becomes of a file, no position names two lists, and one message mends mirrors`() async throws {
    try await FeaturePairs<ArchiveFeature>.drive("archives", runs: 2, long: 10_000, steps: 30) {
      try await ArchiveFuzz.play($0)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `whatever is left of its file, a mirror begins where it was and is right after a message`() async throws {
    try await FeaturePairs<KeptMirrorFeature>.drive("kept mirrors", runs: 2, long: 10_000, steps: 30) {
      try await KeptMirrorFuzz.play($0)
    }
  }

  @Test func `a file that opens takes an edit, and opens again with it, whatever its lines have been changed to`()
    async throws
  {
    let (folder, file) = (TestFolder(), try ShortFile())
    var random = SeededGenerator.forFuzzing("changed lines")
    var openedCount = 0
    let rounds = SeededGenerator.rounds(300, long: 50_000)
    for _ in 0..<rounds {
      var lines = file.lines
      // A whole list that follows changes, as in the fifth line, is not compared with the list before it.
      var isOtherList = false
      // The last line is more often read where it was changed: nothing has to follow it.
      if Bool.random(using: &random) { lines.removeLast(Int.random(in: 0..<lines.count, using: &random)) }
      let (seed, number) = (random.next(), Int.random(in: lines.indices, using: &random))
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        // All lines alike: a file without epochs, for example.
        for index in lines.indices {
          var random = SeededGenerator(seed: seed)
          lines[index] = try Self.changed(lines[index], within: false, using: &random)
        }
      case 1: lines.insert(try Self.changed(lines[number], within: false, using: &random), at: number + 1)
      default:
        lines[number] = try Self.changed(lines[number], within: true, using: &random)
        isOtherList = lines.count > 4
      }
      let bytes = lines.flatMap { $0 }
      let text = "\(String(decoding: bytes, as: UTF8.self))"
      try folder.write(bytes, to: "list.jsonl")
      let history = [ListHistory.none, .last(2), .last(9)].randomElement(using: &random) ?? .none
      let (path, recovering) = (folder.path("list.jsonl"), Bool.random(using: &random))
      guard let archive = try? TestArchive(path, history: history, recovering: recovering) else { continue }
      openedCount += 1
      let store = try archive.open()
      try await store.edit {
        try $0.upsert(TestSection("z"))
        try $0.upsert(TestRow(1_000, "new"), to: "z")
      }
      try await archive.close()
      do {
        let again = try TestArchive(path, history: history)
        let (list, saved) = (await again.snapshot, await store.snapshot)
        #expect(isOtherList ? list.allRows.contains { $0.id == 1_000 } : list == saved, "\(text)")
        try await again.close()
      } catch {
        throw Mismatch("\(error), once an edit was saved, \(history), recovering: \(recovering):\n\(text)")
      }
    }
    #expect(openedCount > 0 || rounds < 50)
  }

  /// A line whose message has another field, or lacks one, with the checksum of its content.
  private static func changed(
    _ line: [UInt8], within changesInner: Bool, using random: inout SeededGenerator
  ) throws -> [UInt8] {
    guard var message = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
      throw Mismatch("no object in a line")
    }
    let kind: ArchiveLine.Kind = message["keyframe"] != nil ? .keyframe : message["run"] != nil ? .run : .changes
    for field in ["crc", "keyframe", "run"] { message[field] = nil }
    let fields = ["epoch", "kind", "previous", "previousEpoch", "revision", "lineage", "updates"]
    switch (Int.random(in: 0...3, using: &random), fields.randomElement(using: &random) ?? "kind") {
    case (0, let field): message[field] = nil
    case (1, _), (2, "kind"):
      message["kind"] = ["initial", "changes", "progress", "end", "run"].randomElement(using: &random)
      if Bool.random(using: &random) { message["updates"] = 0 }
    case (_, let field): message[field] = value(using: &random)
    }
    if changesInner, Bool.random(using: &random), let field = message.keys.sorted().randomElement(using: &random) {
      message[field] = inner(message[field] ?? 0, using: &random)
    }
    let kinds: [ArchiveLine.Kind] = Int.random(in: 0...4, using: &random) == 0 ? [.keyframe, .run, .changes] : [kind]
    let content = try JSONSerialization.data(withJSONObject: message, options: .sortedKeys)
    return try ArchiveLine.line(of: content, kinds.randomElement(using: &random) ?? kind)
  }

  private static func value(using random: inout SeededGenerator) -> Any {
    let values: [Any] = [
      NSNull(), -1, 0, 1, 2, 9_007_199_254_740_991, 9_007_199_254_740_992, Int.max, "", "e", "f",
      String(repeating: "x", count: 65), [Int](), [[1]], [String: Any](), ["epoch": "e", "revision": 0], true, 0.5,
    ]
    return values[Int.random(in: values.indices, using: &random)]
  }

  /// A value of JSON in which another one is in some place.
  private static func inner(_ json: Any, using random: inout SeededGenerator) -> Any {
    if var object = json as? [String: Any], let key = object.keys.sorted().randomElement(using: &random) {
      object[key] = Int.random(in: 0...4, using: &random) == 0 ? nil : inner(object[key] ?? 0, using: &random)
      return object
    }
    if var array = json as? [Any], let index = array.indices.randomElement(using: &random) {
      if Int.random(in: 0...4, using: &random) == 0 {
        array.append(array[index])
      } else {
        array[index] = inner(array[index], using: &random)
      }
      return array
    }
    return value(using: &random)
  }
}
