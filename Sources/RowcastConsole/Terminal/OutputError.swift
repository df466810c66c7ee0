/// Why output could not be written, or input not be opened or read.
package enum OutputError: Error, Hashable {
  /// Nobody reads the other end any more.
  case closed
  /// The device failed; the text is the system's.
  case failed(String)
}

extension OutputError: CustomStringConvertible {
  /// What is wrong, in the system's words.
  package var description: String {
    switch self {
    case .closed: "nobody reads the output any more"
    case .failed(let reason): reason
    }
  }
}
