import Foundation
import RowcastConsole
import RowcastPlatform

extension Options {
  /// Standard input, which must be data.
  func standardInput(for scenario: String) throws(ExitError) -> Int32 {
    guard !Platform.isTerminal(Platform.standardInput) else {
      throw ExitError(
        description: "\(scenario) reads JSON Lines from standard input, but that is a terminal; "
          + "pipe a program into it: program | demo \(scenario)",
        exitCode: 2)
    }
    return Platform.standardInput
  }

  /// What is read, in words.
  var inputName: String {
    guard let operand, operand != "-" else { return "standard input" }
    return URL(fileURLWithPath: operand).lastPathComponent
  }

  /// Opens the recording that `replay` is to show.
  func openRecording() throws(ExitError) -> Int32 {
    guard let path = operand else {
      throw ExitError(description: "replay needs a recording: demo replay FILE (- is standard input)", exitCode: 2)
    }
    if path == "-" { return try standardInput(for: "replay -") }
    do {
      return try Platform.open(path)
    } catch {
      throw ExitError(description: "cannot read \(path): \(error)")
    }
  }

  /// The log that `tail` is to follow, which must be a file that can be read.
  func log() throws(ExitError) -> String {
    guard let path = operand else {
      throw ExitError(description: "tail needs a log: demo tail FILE", exitCode: 2)
    }
    guard path != "-" else {
      throw ExitError(description: "tail follows a file and not standard input; give it the file", exitCode: 2)
    }
    do {
      // Looked at before it is opened: opening a pipe waits for its writer.
      if let status = try Platform.status(ofPath: path), !status.isFile {
        throw SystemError.failed(
          status.isDirectory ? "Is a directory" : "it is no regular file and cannot be followed")
      }
      Platform.close(try Platform.open(path))
      return path
    } catch {
      throw ExitError(description: "cannot read \(path): \(error)")
    }
  }
}
