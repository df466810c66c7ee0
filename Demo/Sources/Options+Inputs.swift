import RowcastConsole

extension Options {
  /// Standard input, which must be data.
  func standardInput(for scenario: String) throws(StartError) -> Int32 {
    guard !Platform.isTerminal(Platform.standardInput) else {
      throw StartError(
        description: "\(scenario) reads JSON Lines from standard input, but that is a terminal; "
          + "pipe a program into it: program | demo \(scenario)",
        exitCode: 2)
    }
    return Platform.standardInput
  }

  /// Opens the recording that `replay` is to show.
  func openRecording() throws(StartError) -> Int32 {
    guard let path = operand else {
      throw StartError(description: "replay needs a recording: demo replay FILE (- is standard input)", exitCode: 2)
    }
    if path == "-" { return try standardInput(for: "replay -") }
    do {
      return try Platform.open(path)
    } catch {
      throw StartError(description: "cannot read \(path): \(error)", exitCode: 1)
    }
  }
}
