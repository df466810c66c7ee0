import Rowcast
import RowcastConsole
import RowcastPlatform

/// Lines that tell a terminal how far their reading is, once that has taken a second.
struct ReportedLines: AsyncSequence, Sendable {
  private let lines: FileLines
  private let name: String
  /// The bytes of all lines, if they are known.
  private let size: Int?
  private let diagnostics: Diagnostics

  /// - Parameters:
  ///   - descriptor: What is read.
  ///   - name: What it is called.
  ///   - diagnostics: Has the terminal.
  init(_ descriptor: Int32, named name: String, _ diagnostics: Diagnostics) {
    lines = FileLines(descriptor: descriptor)
    self.name = name
    let status = try? Platform.status(of: descriptor)
    size = status.flatMap { $0.isFile && $0.size > 0 ? $0.size : nil }
    self.diagnostics = diagnostics
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let source: ReportedLines
    fileprivate var lines: FileLines.AsyncIterator
    private var bytes = 0
    private var due = ContinuousClock.now.advanced(by: .seconds(1))

    fileprivate init(_ source: ReportedLines) {
      self.source = source
      lines = source.lines.makeAsyncIterator()
    }

    mutating func next() async throws -> TextLine? {
      guard let line = try await lines.next() else {
        await source.diagnostics.endProgress()
        return nil
      }
      bytes += line.bytes.count + 1
      if source.diagnostics.showsProgress, due <= .now {
        let progress = source.size.map { "\(Swift.min(100, 100 * bytes / $0)) %" } ?? "\(line.number) lines"
        await source.diagnostics.report("reading \(source.name): \(progress)")
        due = .now.advanced(by: .milliseconds(250))
      }
      return line
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
