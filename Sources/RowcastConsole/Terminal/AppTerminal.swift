#if canImport(RowcastPlatform)
  import Dispatch
  import RowcastPlatform
  import RowcastSources

  /// A terminal as an app uses it: that of the process, or one in memory.
  package protocol AppTerminal: AnyObject {
    /// True if keys can arrive.
    var hasKeys: Bool { get }
    /// True while the screen is taken over.
    var isEntered: Bool { get }
    /// True if time passes only as the input says, and signals are not the process's.
    var usesManualClock: Bool { get }
    /// True while a shell has the program in the background, where the screen and the keys are those of other programs.
    var isInBackground: Bool { get }
    /// Stops the process with its job if it is in the background, until it is resumed.
    ///
    /// - Throws: If there is no shell that could resume it.
    func stopInBackground() throws
    /// The size that the terminal reports, or `nil` if it reports none.
    var reportedSize: TerminalSize? { get }
    /// Writes text to the terminal, as slowly as that reads. Cancelled, or in the background, it leaves out the rest.
    ///
    /// The closure is called as soon as the terminal has all: before a person can have seen it, and pressed a key.
    var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void { get }

    /// Takes over the screen; once more, if another program has used it since. The answer to a question is input, or there is none.
    func enter(usingMouse: Bool, asking: TerminalQuestions) throws
    /// The sequences that switch features on, which are to be written now. ``leave()`` and each end of the process switch them off;
    /// when the screen is entered again, they are on.
    func use(_ features: TerminalFeatures) -> String
    /// Restores the screen. Safe to call again.
    func leave()
    /// Prints the last rows and words, which stay, after the screen was restored.
    func printLastWords(_ text: String) throws
    /// Forgets what the terminal has sent and nobody has read.
    func discardInput()
    /// Passes on the input from now on, in order, until the task is cancelled, and why there is no more of it.
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

  extension Terminal: AppTerminal {
    package var reportedSize: TerminalSize? {
      Platform.terminalSize(output).map { TerminalSize(columns: $0.columns, lines: $0.lines) }
    }

    package var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void {
      let queue = DispatchQueue(label: "rowcast.output")
      let file = Platform.reopenTerminal(output).map { OpenFile(descriptor: $0) }
      return { [output] text, whenWritten in
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          try Task.checkCancellation()
          let descriptor = file?.descriptor ?? output
          // The rest is left out: when the app is in the foreground again, it draws all.
          if Platform.isInBackground(of: descriptor) { return whenWritten() }
          // Waiting blocks a thread, which must not be one that tasks share.
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

    package func printLastWords(_ text: String) throws { try Platform.write(text.utf8, to: output) }

    package func listen(_ take: @escaping @Sendable (TerminalInput) -> Void) -> Task<Void, Never> {
      Task { [input, wasAsked] in
        var keys = TerminalKeys(input: input, awaitsAnswer: wasAsked)
        do {
          while let input = try await keys.nextInput() { take(input) }
          take(.ended)
        } catch is CancellationError {
        } catch is TerminalKeys.Background {
          take(.inBackground)
        } catch {
          take(.unreadable("\(error)"))
        }
      }
    }
  }
#endif
