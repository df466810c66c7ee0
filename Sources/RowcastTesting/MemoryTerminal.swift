#if canImport(RowcastPlatform)
  import RowcastConsole

  /// A terminal in memory: everything that an app writes is a message to the screen of a test.
  final class MemoryTerminal: AppTerminal {
    enum Output: Sendable {
      case text(String)
      case settled(Int)
      /// The app has ended.
      case ended
      /// The time limit of an expectation is over.
      case late(Int)
    }

    let reportedSize: TerminalSize?
    private(set) var isEntered = false
    private let input: AsyncStream<TerminalInput>
    private let output: AsyncStream<Output>.Continuation

    var hasKeys: Bool { true }
    var usesManualClock: Bool { true }
    var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void {
      { [output] text, whenWritten in
        output.yield(.text(text))
        whenWritten()
      }
    }

    init(size: TerminalSize, input: AsyncStream<TerminalInput>, output: AsyncStream<Output>.Continuation) {
      (reportedSize, self.input, self.output) = (size, input, output)
    }

    func enter(usingMouse: Bool, asking questions: String) { isEntered = true }
    func leave() { isEntered = false }
    func settled(_ number: Int) { output.yield(.settled(number)) }

    func listen(_ take: @escaping @Sendable (TerminalInput) -> Void) -> Task<Void, Never> {
      Task { [input] in for await element in input { take(element) } }
    }
  }
#endif
