import Rowcast

/// Why the program ends before it is done, in words for the person who started it, and the exit code that says so.
struct ExitError: Error, CustomStringConvertible {
  let description: String
  var exitCode: Int32 = 1
}

extension ExitError {
  /// What an app ended with: the table refused an update, or the output could not be written.
  init(_ error: any Error) {
    self.init(description: "\(error)", exitCode: error is TableError ? 3 : 1)
  }
}
