import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// Shows the profile in a file, and again whenever the file is written: only changed fields are updated.
  func prepareProfile() throws(ExitError) -> PreparedScenario {
    guard let path = options.operand else {
      throw ExitError(description: "profile needs a file: demo profile FILE", exitCode: 2)
    }
    _ = try Profile.read(path)
    var scenario = showing { try await watchProfile(path) }
    scenario.table.cells = { StrategyCells<ProfileKind> { ProfileKind(rawValue: $0.kind) ?? .userInformation } }
    return scenario
  }

  private func watchProfile(_ path: String) async throws {
    let diagnostics = diagnostics
    let profiles = WatchedPath(path).map { _ in Result { () throws(ExitError) in try Profile.read(path) } }
    // A file that is written in several steps is shown after the last one.
    try await attach(profiles, coalescing: .debounce(for: .milliseconds(30), atMost: .seconds(1))) { _, error in
      await diagnostics.reject("\(error)")
      return .proceed
    } apply: { list, profile in
      list.replace(with: try profile.get().snapshot)
    }
  }
}
