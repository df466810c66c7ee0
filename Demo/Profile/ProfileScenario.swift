import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// Shows the profile in a file, and again whenever the file is written: only what differs changes.
  func prepareProfile() throws(StartError) -> PreparedScenario {
    guard let path = options.operand else {
      throw StartError(description: "profile needs a file: demo profile FILE", exitCode: 2)
    }
    do {
      _ = try Profile.read(path)
    } catch {
      throw StartError(description: error.description, exitCode: 1)
    }
    var scenario = showing { try await watchProfile(path) }
    scenario.table.cells = { StrategyCells<ProfileKind> { ProfileKind(rawValue: $0.kind) ?? .userInformation } }
    return scenario
  }

  private func watchProfile(_ path: String) async throws {
    let diagnostics = diagnostics
    let profiles = WatchedPath(path).map { _ in Result { () throws(ProfileError) in try Profile.read(path) } }
    // A file that is written in steps is shown when they are done.
    try await attach(profiles, coalescing: .debounce(for: .milliseconds(30), atMost: .seconds(1))) { _, error in
      await diagnostics.reject("\(error)")
      return .proceed
    } apply: { list, profile in
      list.replace(with: try profile.get().snapshot)
    }
  }
}
