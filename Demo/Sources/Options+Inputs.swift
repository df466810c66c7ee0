import Foundation
import RowcastConsole
import RowcastPlatform
import RowcastSources

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

  /// What is read, in words for an error: a path as it was typed, or standard input.
  var input: String {
    guard let operand, operand != "-" else { return "standard input" }
    return operand
  }

  /// What is read, without the folders of its path.
  var inputName: String { input == operand ? URL(fileURLWithPath: input).lastPathComponent : input }

  /// An error of a source; if it is one of reading the input, with the name of that.
  func naming(_ error: any Error) -> any Error {
    guard let error = error as? FileError, error.path == nil else { return error }
    return ExitError(description: "cannot read \(input): \(error)")
  }

  /// The same for a recording, whose lines have to be messages that follow each other.
  func naming(inRecording error: any Error) -> any Error {
    guard error is BadLine || error is StreamEnded else { return naming(error) }
    return ExitError(description: "\(input) is no recording that can be shown: \(error)")
  }

  /// The sources of a scenario whose states the screen shows.
  func sourceNames(of scenario: Scenario) -> [String] {
    switch scenario {
    case .feed: FeedScript.all(seed: seed).map(\.title)
    case .tail: [input]
    case .stdin, .replay, .ps, .chat, .settings, .profile, .files, .orders, .bench, .serve: []
    }
  }

  /// Opens the recording that `replay` is to show.
  func openRecording() throws(ExitError) -> Int32 {
    guard let path = operand else {
      throw ExitError(description: "replay needs a recording: demo replay FILE (- is standard input)", exitCode: 2)
    }
    if path == "-" { return try standardInput(for: "replay -") }
    do {
      // It can be opened: only the first read would fail, after the list has been shown.
      if try Platform.status(ofPath: path)?.isDirectory == true { throw SystemError.failed("Is a directory") }
      return try Platform.openAtOnce(path)
    } catch {
      throw ExitError(description: "cannot read \(path): \(error)")
    }
  }

  /// The log that `tail` is to follow: a file that can be read, standard input or a pipe.
  func log() throws(ExitError) -> Log {
    guard let path = operand else {
      throw ExitError(description: "tail needs a log: demo tail FILE", exitCode: 2)
    }
    if path == "-" {
      guard !Platform.isTerminal(Platform.standardInput) else {
        throw ExitError(
          description:
            "tail - reads standard input, but that is a terminal; pipe a program into it: program | demo tail -",
          exitCode: 2)
      }
      return .input(.standardInput, input)
    }
    do {
      let status = try Platform.status(ofPath: path)
      if let status, status.isPipe {
        if given.contains(.lines) { throw ExitError(description: Self.linesOfInput, exitCode: 2) }
        // A pipe that a shell has made for one program ends with that.
        let isFollowed = !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
        return .input(OpenFile(descriptor: try Platform.openAtOnce(path, isFollowed: isFollowed)), path)
      }
      if let status, !status.isFile {
        throw SystemError.failed(
          status.isDirectory ? "Is a directory" : "it is no regular file and cannot be followed")
      }
      Platform.close(try Platform.open(path))
      return .file(path)
    } catch let error as ExitError {
      throw error
    } catch {
      throw ExitError(description: "cannot read \(path): \(error)")
    }
  }
}
