import Rowcast
import RowcastConsole
import RowcastPlatform

extension ScenarioRun {
  /// A directory as a live outline.
  func prepareFiles() throws(ExitError) -> PreparedScenario {
    guard let directory = options.operand else {
      throw ExitError(description: "files needs a directory: demo files DIR", exitCode: 2)
    }
    do {
      _ = try Platform.entries(ofDirectory: directory)
    } catch {
      throw ExitError(description: "cannot read \(directory): \(error)")
    }
    let expansion = OutlineExpansion<Item.ID>(depth: options.expand ?? 0)
    // With keys the screen makes the outline, of all rows with their sizes.
    let outline = store.arranged { [hasKeys] in
      $0.sorted(by: .ascending(\.title), .ascending(\.id)).outlined(
        parent: { $0.place?.parent }, summary: .sum(\.size), expansion: hasKeys ? nil : expansion
      ) { file, place, size in file.placed(at: place, size: size) }
    }
    var run = self
    // Otherwise the outline would be made of each part of the list.
    if !options.isOnce { run.arranged = outline }
    var scenario = PreparedScenario(
      source: { [run] in try await run.watchFiles(in: directory) }, updates: { outline.updates() }, arranges: true)
    scenario.served = outline
    guard hasKeys else { return scenario }
    let plan = Parameter(Arrangement<Group, Item, Group, Item>())
    let list = outline.arrangedToTheEnd(by: plan)
    scenario.updates = { list.updates() }
    (scenario.arrangement, scenario.list) = (plan, list)
    scenario.outline = ConsoleOutline(\.outlinePlace, expansion: expansion)
    scenario.columns = [
      ConsoleColumn("BYTES", width: 15, .trailing) { $0.size }, ConsoleColumn("NAME", width: 60) { $0.name },
    ]
    return scenario
  }

  private func watchFiles(in directory: String) async throws {
    let tree = FileTree(root: directory, isOnce: options.isOnce) { [diagnostics] in await diagnostics.say($0) }
    try await attach(tree) { _, _ in
      .stop
    } apply: { list, change in
      try list.upsert(Group(id: "files", content: Group.Content(title: directory, phase: change.phase)))
      for step in change.steps { try list.take(step) }
    }
  }
}

extension ListEditor<Group, Item> {
  fileprivate mutating func take(_ step: TreeStep) throws {
    switch step {
    case .upsert(let row): try upsert(row, to: "files")
    case .remove(let id): if row(id) != nil { try remove(id) }
    }
  }
}
