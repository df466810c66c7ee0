import Rowcast
import RowcastConsole

/// The file of the demo's list.
typealias Archive = ListArchive<Group, Item>

extension Options {
  /// Opens the file of the list and its store, if one was asked for. What is left out of a damaged file is told.
  func openArchive(history: ListHistory = .none) throws(ExitError) -> (file: Archive, store: Store)? {
    guard let archive else { return nil }
    do {
      let file = try Archive(at: archive, history: history, recovering: recover)
      let store = try file.open()
      if let rest = file.rest {
        let lines = rest.lines == 1 ? "1 line is" : "\(rest.lines) lines are"
        Diagnostics.write("\(archive) was damaged; \(lines) not in the list, but in \(rest.path)")
      }
      return (file, store)
    } catch {
      throw ExitError(description: "cannot open \(error.advice(for: archive, recovers: recover))")
    }
  }
}

extension ScenarioRun {
  /// Waits until the whole list is in its file.
  func closeArchive() async throws(ExitError) {
    do { try await archive?.close() } catch {
      let advice = error.advice(for: options.archive ?? "", recovers: options.recover)
      throw ExitError(description: "cannot write \(advice)")
    }
  }
}

extension ArchiveError {
  /// The problem, with the path of the file, and what the person can do who named that. The library's own texts tell what the
  /// author of a program can do.
  func advice(for path: String, recovers: Bool) -> String {
    switch self {
    case .inUse(let path, let process):
      "\(path): the file is in use\(process.map { " by process \($0)" } ?? ""); end that program, or choose another file"
    case .damaged(let path, let line):
      recovers
        ? "\(path): line \(line) is damaged, and no line has a whole list; move the file away to begin a new list"
        : "\(path): line \(line) is damaged; add --recover to continue without it and the lines that depend on it, or move the file away"
    case .unreadable(let path, let line, let reason):
      "\(path): line \(line): \(reason); \(recovers ? "" : "if a line was lost or copied, add --recover; otherwise ")"
        + "choose another file, or move this one away"
    case .unencodable(let reason): "\(path): the list cannot be encoded: \(reason)"
    case .failed, .replaced: "\(self)"
    }
  }
}
