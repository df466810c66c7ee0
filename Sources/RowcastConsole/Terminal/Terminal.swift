#if canImport(RowcastPlatform)
  import Dispatch
  package import RowcastPlatform
  import RowcastTerminal
  package import RowcastSources

  /// The terminal of the process in full-screen use: alternate screen, hidden cursor, keys as they are typed.
  final class Terminal: AppTerminal {
    private let input: OpenFile?
    /// The reason why keys cannot be read although there is a terminal.
    private let failure: SystemError?
    private let output: Int32
    /// The modes to restore: those before the screen was taken over.
    private var original: Platform.TerminalModes?
    private(set) var isEntered = false
    /// The features that are on while the screen is taken over.
    private var features: TerminalFeatures = []
    /// The deadline for an answer, if the terminal was asked something when the screen was taken over last.
    private var answerDeadline: ContinuousClock.Instant?
    var hasKeys: Bool { input != nil }

    /// Draws on standard output.
    init() {
      output = Platform.standardOutput
      do { (input, failure) = (try OpenFile.keys(), nil) } catch { (input, failure) = (nil, error) }
    }

    var isInBackground: Bool { Platform.isInBackground(of: output) }

    /// A process that crashes or exits restores the screen.
    ///
    /// - Throws: If the terminal cannot be written to, or if its keys cannot be read.
    func enter(usingMouse: Bool, asking questions: String) throws {
      if let failure { throw FileError(keys: failure) }
      // Only in the foreground are these the program's own modes.
      if !isEntered { original = Platform.modes(of: input?.descriptor ?? output) }
      let modes = features.sequences(isRepeated: isEntered)
      (isEntered, answerDeadline) = (true, questions.isEmpty ? nil : .now.advanced(by: .milliseconds(1_500)))
      Platform.restoreTerminalOnCrash(ending: features.rawValue)
      if let input, let original { Platform.setModes(Platform.immediate(original), of: input.descriptor) }
      let mouse = usingMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : ""
      // Some terminals print part of an unknown question, which is erased then.
      let text = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\(mouse)\(modes)\(questions)\u{1B}[2J"
      try Platform.write(text.utf8, to: output)
    }

    func use(_ features: TerminalFeatures) -> String {
      self.features = features
      if isEntered { Platform.restoreTerminalOnCrash(ending: features.rawValue) }
      return features.sequences(isRepeated: false)
    }

    func leave() {
      guard isEntered else { return }
      isEntered = false
      // A closed terminal cannot be restored, and need not be; one that does not read is left as it is.
      let ends = Platform.ends(ofScreenModes: features.rawValue) + [Platform.restoringScreen]
      var rest = Array(ends.map(\.description).joined().utf8)[...]
      while !rest.isEmpty, let count = try? Platform.writeSome(rest, to: output, timeout: 1_000), count > 0 {
        rest = rest.dropFirst(count)
      }
      // In the background, the modes are those of the program in the foreground.
      if let input, let original, !isInBackground { Platform.setModes(original, of: input.descriptor) }
      Platform.leaveTerminalOnCrash()
    }

    func stopInBackground() throws { try Platform.stopJob(inBackgroundOf: output) }

    func discardInput() {
      if let input, !isInBackground { Platform.discardInput(of: input.descriptor) }
    }

    var reportedSize: TerminalSize? {
      Platform.terminalSize(output).map { TerminalSize(columns: $0.columns, lines: $0.lines) }
    }

    var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void {
      let queue = DispatchQueue(label: "rowcast.output")
      let file = Platform.reopenTerminal(output).map { OpenFile(descriptor: $0) }
      return { [output] text, whenWritten in
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          try Task.checkCancellation()
          let descriptor = file?.descriptor ?? output
          // The rest is dropped: back in the foreground, the app draws everything again.
          if Platform.isInBackground(of: descriptor) { return whenWritten() }
          // The wait blocks a thread, which must not be one that tasks share.
          let count = try await withCheckedThrowingContinuation { continuation in
            queue.async { [rest] in
              let result = Result { try Platform.writeSome(rest, to: descriptor, timeout: 100) }
              if case .success(rest.count) = result { whenWritten() }
              continuation.resume(with: result)
            }
          }
          rest = rest.dropFirst(count)
        }
      }
    }

    func printLastWords(_ text: String) throws { try Platform.write(text.utf8, to: output) }

    func listen(_ take: @escaping @Sendable (TerminalInput) -> Void) -> Task<Void, Never> {
      Task { [input, answerDeadline] in
        var reader = TerminalReader(input: input, answerDeadline: answerDeadline)
        // Reading fails when the task is cancelled.
        while let input = try? await reader.next() {
          take(input)
          switch input {
          case .ended, .inBackground, .unreadable: return
          default: continue
          }
        }
      }
    }
  }

  extension OpenFile {
    /// The source of keys: standard input or, if that is data, the terminal of the process, which is closed with the last
    /// reference to it; `nil` without a terminal.
    ///
    /// - Throws: If there is a terminal, and it cannot be opened.
    package static func keys() throws(SystemError) -> OpenFile? {
      if Platform.isTerminal(Platform.standardInput) { return .standardInput }
      return try Platform.openOwnTerminal().map { OpenFile(descriptor: $0) }
    }
  }

  /// Reads what a terminal sends.
  ///
  /// A key may arrive in several pieces, as over a slow line. A character within 50 ms of an ESC is a key with Alt. If
  /// nothing follows for this time, an ESC is a key, and so is an ESC with a character that sequences begin with.
  struct TerminalReader: Sendable {
    private let input: OpenFile?
    /// The input, opened again so that reads never wait; `nil` if that is not possible.
    private var file: OpenFile?
    private let patience: (short: Int32, long: Int32)
    private var reader: DescriptorReader?
    private var parser = KeyParser()
    private var ready: ArraySlice<TerminalInput> = []
    /// The deadline for the answer to a question; `nil` once the terminal has answered. Until then, an ESC most likely begins
    /// the answer, so the reader waits longer for the bytes after it. A terminal that has not answered by then does not
    /// answer at all.
    private var answerDeadline: ContinuousClock.Instant?

    /// `patience` is the time in milliseconds to wait for the bytes after an ESC, and for the end of a sequence.
    init(
      input: OpenFile?, patience: (short: Int32, long: Int32) = (50, 1_000),
      answerDeadline: ContinuousClock.Instant? = nil
    ) {
      self.input = input
      self.patience = patience
      self.answerDeadline = answerDeadline
    }

    /// The next input; finally the reason why no more follows: `ended`, `inBackground` or `unreadable`.
    ///
    /// - Throws: `CancellationError`.
    mutating func next() async throws -> TerminalInput {
      guard let input else { return .ended }
      do {
        if reader == nil {
          file = Platform.reopenTerminal(input.descriptor, forReading: true).map { OpenFile(descriptor: $0) }
          reader = DescriptorReader(file?.descriptor ?? input.descriptor)
        }
        while true {
          while let next = ready.popFirst() {
            if case .identified = next { answerDeadline = nil }
            guard let number = signal(of: next) else { return next }
            Platform.signalJob(number)
          }
          guard let bytes = try await read() else {
            answerDeadline = nil
            ready = parser.pause()[...]
            continue
          }
          ready = (bytes.isEmpty ? parser.pause() : parser.take(bytes))[...]
          if ready.isEmpty, bytes.isEmpty { return .ended }
        }
      } catch let error as SystemError {
        return error == .device ? .inBackground : .unreadable(FileError(keys: error).description)
      }
    }

    /// The signal of a key such as Ctrl-C. The system sends it only for the control character; here the key arrived as a
    /// sequence.
    private func signal(of next: TerminalInput) -> Int32? {
      guard case .key(.control(let letter)) = next, let code = letter.asciiValue, let input else { return nil }
      return Platform.keySignal(ofControlCharacter: code & 0x1F, at: input.descriptor)
    }

    /// The milliseconds to wait for more bytes; `nil` for as long as it takes.
    private var timeout: Int32? {
      let rest = answerDeadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) } ?? 0
      let short = Int32(min(Double(patience.long), max(Double(patience.short), rest)))
      return parser.wait(short: short, long: patience.long)
    }

    /// The next bytes; empty at the end, `nil` if none arrive for a while.
    ///
    /// - Throws: `SystemError.device` in the background, where the keys are those of another program; other errors of the system.
    private mutating func read() async throws -> [UInt8]? {
      guard let input, let reader else { return [] }
      let timeout = timeout
      // Twice: the process may have been in the background when it read, and no longer be.
      for _ in 1...2 {
        do {
          return try await reader.read(upTo: 256, timeout: timeout)
        } catch let error as SystemError where error == .device {
          if Platform.isInBackground(of: input.descriptor) { throw error }
        }
      }
      return []
    }
  }

  extension FileError {
    /// The reason why the keys of a terminal cannot be read.
    init(keys error: SystemError) { self.init(reason: "cannot read the keys of the terminal: \(error)") }
  }

  /// A terminal as an app uses it: the terminal of the process, or one in memory.
  package protocol AppTerminal: AnyObject {
    /// True if keys can arrive.
    var hasKeys: Bool { get }
    /// True while the screen is taken over.
    var isEntered: Bool { get }
    /// True if only the input advances the time, and the signals of the process are not handled.
    var usesManualClock: Bool { get }
    /// True while a shell has the program in the background, where the screen and the keys are those of other programs.
    var isInBackground: Bool { get }
    /// Stops the process with its job if it is in the background, until it is resumed.
    ///
    /// - Throws: If there is no shell that could resume it.
    func stopInBackground() throws
    /// The size that the terminal reports, or `nil` if it reports none.
    var reportedSize: TerminalSize? { get }
    /// Writes text to the terminal, as slowly as that reads. When cancelled, or in the background, it drops the rest.
    ///
    /// The closure is called as soon as the terminal has everything: before a person can have seen it, and pressed a key.
    var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void { get }

    /// Takes over the screen; again, if another program has used it since. Answers to the questions are input, if there are
    /// any.
    func enter(usingMouse: Bool, asking questions: String) throws
    /// The sequences that switch features on, to be written now. ``leave()`` and each end of the process switch them off;
    /// when the screen is entered again, they are on.
    func use(_ features: TerminalFeatures) -> String
    /// Restores the screen. Safe to call again.
    func leave()
    /// Prints the last rows and words, which remain, after the screen was restored.
    func printLastWords(_ text: String) throws
    /// Discards unread input.
    func discardInput()
    /// Passes on the input from now on, in order, until the task is cancelled; finally the reason why no more follows.
    func listen(_ take: @escaping @Sendable (TerminalInput) -> Void) -> Task<Void, Never>
    /// Called when the app has handled all input before a `TerminalInput.settle`, and its screen shows it.
    func settled(_ number: Int)
  }

  extension AppTerminal {
    package var usesManualClock: Bool { false }
    package var isInBackground: Bool { false }
    package func stopInBackground() {}
    package func use(_ features: TerminalFeatures) -> String { features.sequences(isRepeated: false) }
    package func discardInput() {}
    package func printLastWords(_ text: String) {}
    package func settled(_ number: Int) {}
  }
#endif
