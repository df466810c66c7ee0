import Foundation
import Rowcast
import RowcastConsole
import RowcastPlatform

/// `demo replay FILE --html OUT`: writes a recording as a page.
enum PageCommand {
  /// Why there is no page.
  struct Failure: Error {
    let reason: String
    var exitCode: Int32 = 1
  }

  /// Writes the page, says so, and gives back the exit code.
  static func run(_ options: Options, to output: String) async -> Int32 {
    do {
      let source = options.operand ?? "-"
      let descriptor = try options.openRecording()
      if source != "-", isSameFile(source, output) {
        throw Failure(reason: "--html would overwrite the recording \(source); choose another name", exitCode: 2)
      }
      let page = try await read(descriptor, named: source, options)
      let html = try page.html()
      try write(html, to: output)
      if !options.quiet, output != "-" {
        Diagnostics.write("wrote \(output): \(page.messages.count - 1) updates, \(html.count / 1_000) kB")
      }
      return 0
    } catch let failure as Failure {
      Diagnostics.write(failure.reason)
      return failure.exitCode
    } catch let error as StartError {
      Diagnostics.write(error.description)
      return error.exitCode
    } catch {
      Diagnostics.write("\(error)")
      return 1
    }
  }

  private static func read(_ descriptor: Int32, named source: String, _ options: Options) async throws -> Page {
    let name = source == "-" ? "standard input" : URL(fileURLWithPath: source).lastPathComponent
    var page = Page(name: name, replay: PageReplay(height: options.rows ?? 20, poolCap: options.poolCap))
    do {
      for try await entry in Recording(lines: FileLines(descriptor: descriptor), joins: false) {
        guard let update = entry.update else {
          page.end = try JSONLines.value(Page.End.self, on: entry.line)?.get()
          continue
        }
        page.isPartial = page.messages.count == options.maxUpdates
        if page.isPartial { break }
        do {
          try page.append(entry.message, update)
        } catch {
          throw Failure(reason: "line \(entry.line.number): \(error)", exitCode: 3)
        }
      }
    } catch let error as FileError {
      throw Failure(reason: "cannot read \(source): \(error)")
    } catch let error as BadLine {
      throw Failure(reason: "\(source) is no recording that can be shown: \(error)")
    }
    guard !page.messages.isEmpty else {
      throw Failure(reason: "\(source) is empty; record something first: demo feed --json > \(source)")
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
      throw Failure(reason: "cannot write \(output): \(error)")
    }
  }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    func identity(_ path: String) -> URL { URL(fileURLWithPath: path).resolvingSymlinksInPath() }
    return identity(one) == identity(other)
  }
}
