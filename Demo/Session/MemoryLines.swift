import RowcastDemoBench
import Rowcast

/// The lines of a text in memory, in chunks as a pipe brings them.
struct MemoryLines: AsyncSequence, Sendable {
  /// When each tenth of the bytes began to be read, and the last one ended, with the memory of the process in kilobytes.
  actor Marks {
    private(set) var tenths: [ContinuousClock.Instant] = []
    private(set) var memory: [Int?] = []

    func note() {
      tenths.append(.now)
      memory.append(residentBytes().map { $0 / 1_024 })
    }
  }

  let bytes: [UInt8]
  let marks = Marks()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  struct AsyncIterator: AsyncIteratorProtocol {
    let source: MemoryLines
    private var cutter = LineCutter(limit: 16 * 1_024 * 1_024)
    private var position = 0
    private var nextMark = 0
    private var ready: ArraySlice<TextLine> = []

    fileprivate init(_ source: MemoryLines) { self.source = source }

    mutating func next() async throws -> TextLine? {
      while true {
        if let line = ready.popFirst() { return line }
        let count = source.bytes.count
        while nextMark <= 10, position * 10 >= nextMark * count {
          await source.marks.note()
          nextMark += 1
        }
        guard position < count else { return cutter.last() }
        let end = Swift.min(position + 65_536, count)
        ready = cutter.lines(in: source.bytes[position..<end])[...]
        position = end
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
