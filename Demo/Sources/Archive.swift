import Rowcast
import RowcastConsole

/// The file of the demo's list.
typealias Archive = ListArchive<Group, Item>

extension Options {
  /// Opens the file of the list and its store, if one was asked for.
  func openArchive(history: ListHistory = .none) throws(ExitError) -> (file: Archive, store: Store)? {
    guard let archive else { return nil }
    do {
      let file = try Archive(at: archive, history: history)
      return (file, try file.open())
    } catch {
      throw ExitError(description: "cannot open \(error.naming(archive))")
    }
  }
}

extension ScenarioRun {
  /// Waits until the whole list is in its file.
  func closeArchive() async throws(ExitError) {
    do { try await archive?.close() } catch {
      throw ExitError(description: "cannot write \(error.naming(options.archive ?? ""))")
    }
  }
}

extension ArchiveError {
  /// The problem, and the path of the file.
  fileprivate func naming(_ path: String) -> String {
    switch self {
    case .unencodable: "\(path): \(self)"
    case .failed, .replaced, .inUse, .damaged, .unreadable: "\(self)"
    }
  }
}
