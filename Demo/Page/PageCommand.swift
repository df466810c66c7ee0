import Foundation
import Rowcast
import RowcastConsole
import RowcastPlatform

/// `demo replay FILE --html OUT`: writes a recording as a page.
enum PageCommand {
  /// Writes the page, says so, and gives back the exit code.
  static func run(_ options: Options, to output: String) async -> Int32 {
    let diagnostics = Diagnostics(
      isQuiet: options.quiet, isDeferred: false,
      showsProgress: Diagnostics.hasTerminal(ProcessInfo.processInfo.environment))
    let (exitCode, words) = await write(options, to: output, diagnostics)
    await diagnostics.endProgress()
    if let words { Diagnostics.write(words) }
    return exitCode
  }

  private static func write(
    _ options: Options, to output: String, _ diagnostics: Diagnostics
  ) async -> (exitCode: Int32, words: String?) {
    do {
      let source = options.operand ?? "-"
      let descriptor = try options.openRecording()
      if source != "-", isSameFile(source, output) {
        throw ExitError(description: "--html would overwrite the recording \(source); choose another name", exitCode: 2)
      }
      let page = try await read(descriptor, options, diagnostics)
      let html = try page.html()
      try write(html, to: output)
      let isSilent = options.quiet || output == "-"
      return (0, isSilent ? nil : "wrote \(output): \(page.messages.count - 1) updates, \(html.count / 1_000) kB")
    } catch let error as ExitError {
      return (error.exitCode, error.description)
    } catch {
      return (1, "\(error)")
    }
  }

  private static func read(
    _ descriptor: Int32, _ options: Options, _ diagnostics: Diagnostics
  ) async throws -> Page {
    let lines = ReportedLines(descriptor, named: options.inputName, diagnostics)
    var page = Page(name: options.inputName, replay: PageReplay(height: options.rows ?? 20, poolCap: options.poolCap))
    do {
      for try await entry in Recording(lines: lines, joins: false) {
        if case .end = entry.message { page.end = try JSONLines.value(Page.End.self, on: entry.line)?.get() }
        guard let update = entry.update else { continue }
        page.isPartial = page.messages.count == options.maxUpdates
        if page.isPartial { break }
        do {
          try page.append(entry.message, update)
        } catch {
          throw ExitError(description: "line \(entry.line.number): \(error)", exitCode: 3)
        }
      }
    } catch {
      throw options.naming(inRecording: error)
    }
    guard !page.messages.isEmpty else {
      let name = options.input == options.operand ? options.input : "feed.jsonl"
      throw ExitError(description: "\(options.input) is empty; record something first: demo feed --json > \(name)")
    }
    return page
  }

  private static func write(_ bytes: [UInt8], to output: String) throws {
    do {
      if output == "-" {
        try Platform.write(bytes, to: Platform.standardOutput)
      } else {
        try WholeFile.write(bytes, to: output)
      }
    } catch .closed {
      // The rest is not read.
    } catch {
      throw ExitError(
        description: output == "-" ? "the output cannot be written: \(error)" : "cannot write \(output): \(error)")
    }
  }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    func identity(_ path: String) -> URL { URL(fileURLWithPath: path).resolvingSymlinksInPath() }
    return identity(one) == identity(other)
  }
}
