#if canImport(Glibc)
  import Foundation
  import RowcastTestSupport
  import Testing

  /// What lists keep while they are read for long, for each of ours.
  @Suite(.watched) struct LiveListMemoryTests {
    /// The bytes that are allocated in this process. The function is not in the headers that Swift sees.
    private static func allocatedSize() throws -> Int {
      typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
      let (symbol, stream) = unsafe (dlsym(nil, "malloc_info"), tmpfile())
      guard let symbol = unsafe symbol, let file = unsafe stream else { throw Mismatch("no account of the memory") }
      defer { unsafe fclose(file) }
      _ = unsafe unsafeBitCast(symbol, to: Report.self)(0, file)
      unsafe rewind(file)
      var bytes = [UInt8](repeating: 0, count: 1_000_000)
      let count = unsafe fread(&bytes, 1, bytes.count, file)
      // The sums of all arenas are at the end.
      let sums = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "</heap>").last ?? ""
      func sum(_ type: String) -> Int {
        let line = sums.split(separator: "\n").first { $0.contains("type=\"\(type)\"") } ?? ""
        return Int(line.split(separator: "size=\"").last?.prefix { $0.isNumber } ?? "") ?? 0
      }
      let size = sum("current") - sum("fast") - sum("rest")
      return try size > 0 ? size : { throw Mismatch("no account of the memory: \(sums)") }()
    }

    /// Sanitizers allocate in another way.
    private static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    // The buffers of a file are as large as what is written at a time.
    @Test(
      .enabled(if: !isSanitized),
      arguments: LiveListPromiseTests.makers.map(\.testDescription).filter { $0 != LiveListPromiseTests.archive })
    func `readers that wait, and those that come and go, leave nothing behind`(_ name: String) async throws {
      await #expect(processExitsWith: .success) { [name] in
        let maker = try #require(LiveListPromiseTests.makers.first { $0.testDescription == name })
        let made = try await maker.make()
        let (subject, seen) = (made.subject, CallCount())
        let reader = Task { for await update in subject.list.updates() { _ = seen.note(update) } }
        await eventually { seen.value == 1 }
        var sizes: [Int] = []
        for number in 1...3_100 {
          let count = seen.value
          try await subject.edit(number)
          await eventually { seen.value > count }
          // Other readers begin and end; most of them wait by then.
          let other = Task { for await _ in subject.list.updates() {} }
          for _ in 0..<8 { await Task.yield() }
          other.cancel()
          await other.value
          // Histories are full.
          if number % 1_000 == 100, number > 1_000 { sizes.append(try Self.allocatedSize()) }
        }
        // Memory that is allocated once, or kept for reuse, grows in one interval; a leak grows in both: the entry of a waiter
        // takes 260 bytes.
        let growth = try #require(zip(sizes, sizes.dropFirst()).map { $1 - $0 }.min())
        #expect(growth < 150 * 1_000)
        reader.cancel()
        await reader.value
        try await made.end()
      }
    }
  }
#endif
