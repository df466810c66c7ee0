import Rowcast
import RowcastConsole

/// The file of the demo's list.
typealias Archive = ListArchive<Group, Item>

extension Options {
  /// Opens the file of the list and its store, if one was asked for.
  func openArchive() throws(ExitError) -> (file: Archive, store: Store)? {
    guard let archive else { return nil }
    do {
      // The list of another seed is another list.
      let file = try Archive(at: archive, epoch: seedIsGiven ? epoch : nil)
      return (file, try file.open())
    } catch {
      throw ExitError(description: "cannot open \(archive): \(error)")
    }
  }
}

extension ScenarioRun {
  /// Waits until the whole list is in its file.
  func closeArchive() async throws(ExitError) {
    do { try await archive?.close() } catch {
      throw ExitError(description: "cannot write \(options.archive ?? ""): \(error)")
    }
  }
}
