#if canImport(RowcastPlatform)
  import Foundation
  import RowcastPlatform
  package import RowcastSources

  /// A terminal in full-screen use: alternate screen, hidden cursor, keys as they are typed.
  ///
  ///     guard let terminal = Terminal() else { return }
  ///     try terminal.enter()
  ///     defer { terminal.leave() }
  ///     try terminal.write(frame.sequences(from: nil, theme: .dark))
  ///     for try await key in terminal.keys { if key == "q" { break } }
  ///
  /// ``ConsoleApp`` does this and more. A terminal is used by one task or actor.
  public final class Terminal {
    private let input: OpenFile?
    let output: Int32
    private let original: Platform.TerminalModes?
    package private(set) var isEntered = false
    package var hasKeys: Bool { input != nil }

    /// The terminal of the process; `nil` if standard output is not a terminal. Keys come from standard input or, where that
    /// is data, from the terminal itself.
    public convenience init?() {
      guard Platform.isTerminal(Platform.standardOutput) else { return nil }
      self.init(input: Self.keyDescriptor(readsData: false), output: Platform.standardOutput)
    }

    /// Draws on the output, and reads keys from the input, if any. Both may be one terminal.
    package init(input: OpenFile?, output: Int32) {
      self.input = input
      self.output = output
      original = Platform.modes(of: input?.descriptor ?? output)
    }

    /// The descriptor that keys come from; `nil` without a terminal. If the program reads data, it is not standard input. A
    /// terminal that was opened for this is closed with the last reference to it.
    package static func keyDescriptor(readsData: Bool) -> OpenFile? {
      !readsData && Platform.isTerminal(Platform.standardInput)
        ? .standardInput : (try? Platform.open("/dev/tty")).map { OpenFile(descriptor: $0) }
    }

    /// Takes over the screen; once more, if another program has used it since. A process that crashes or exits restores it.
    ///
    /// - Throws: If the terminal cannot be written to.
    public func enter() throws { try enter(usingMouse: false, askingForGround: false) }

    package func enter(usingMouse: Bool, askingForGround: Bool) throws {
      isEntered = true
      Platform.restoreTerminalOnCrash()
      if let input, let original { Platform.setModes(Platform.immediate(original), of: input.descriptor) }
      let mouse = usingMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : ""
      try write(
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\(mouse)\u{1B}[2J\(askingForGround ? "\u{1B}]11;?\u{7}" : "")")
    }

    /// Restores the screen. Safe to call again.
    public func leave() {
      guard isEntered else { return }
      isEntered = false
      // A terminal that is gone cannot be restored, and need not be; one that does not read is left alone.
      var rest = Array("\(Platform.restoringScreen)".utf8)[...]
      while !rest.isEmpty, let count = try? Platform.writeSome(rest, to: output, timeout: 1_000), count > 0 {
        rest = rest.dropFirst(count)
      }
      if let input, let original { Platform.setModes(original, of: input.descriptor) }
      Platform.leaveTerminalOnCrash()
    }

    /// Writes text unchanged, sequences included: see ``Frame/sequences(from:theme:)``.
    ///
    /// - Throws: If the terminal cannot be written to.
    public func write(_ text: String) throws { try Platform.write(text.utf8, to: output) }

    /// The size of the screen: that of the terminal, else that of `COLUMNS` and `LINES`, else 80×24. It changes when
    /// ``ConsoleSignal/resize`` arrives.
    public var size: TerminalSize {
      .resolved(reported: reportedSize, environment: ProcessInfo.processInfo.environment)
    }

    /// The keys that are pressed from now on; none if the process has no terminal to read from.
    public var keys: TerminalKeys { TerminalKeys(input: input) }
  }

  /// The keys that are pressed at a terminal. Iterating throws if the terminal is gone, and ends with the task.
  ///
  /// A key may arrive in several pieces, as over a slow line. An ESC is a key if no byte follows it for 50 ms.
  public struct TerminalKeys: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let input: OpenFile?
    private let patience: Int32
    private var reader: DescriptorReader?
    private var parser = KeyParser()
    private var ready: ArraySlice<TerminalInput> = []

    /// `patience` is the time in milliseconds that an ESC waits for the rest of a sequence.
    init(input: OpenFile?, patience: Int32 = 50) {
      self.input = input
      self.patience = patience
    }

    /// The next key; `nil` when there will be none.
    public mutating func next() async throws -> Key? {
      while let input = try await nextInput() { if case .key(let key) = input { return key } }
      return nil
    }

    mutating func nextInput() async throws -> TerminalInput? {
      guard let input else { return nil }
      let reader = try reader ?? DescriptorReader(input.descriptor)
      self.reader = reader
      while ready.isEmpty {
        let bytes = try await reader.read(upTo: 256, timeout: parser.awaitsMore ? patience : nil)
        let isPause = bytes?.isEmpty ?? true
        ready = (isPause ? parser.pause() : parser.take(bytes ?? []))[...]
        if ready.isEmpty, isPause { return nil }
      }
      return ready.popFirst()
    }

    /// Starts reading.
    public func makeAsyncIterator() -> TerminalKeys { self }
  }
#endif
