import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// A static table of settings, changed with the keys; without keys each is changed once.
  func prepareSettings() -> PreparedScenario {
    let settings = Settings(self)
    var scenario = showing { try await settings.run() }
    scenario.table.cells = { SettingsItems() }
    // Nothing is selected here: Enter changes.
    scenario.table.selectionMode = .none
    scenario.undo = settings
    scenario.commands = [
      KeyCommand(.enter, label: "change", help: "change the focused setting") { row in
        guard let row else { return "no setting is focused: choose one with ↑ and ↓" }
        await settings.change(row)
        return nil
      }
    ]
    return scenario
  }
}

/// The settings at work.
actor Settings: Undoing {
  private let run: ScenarioRun
  private var table = SettingsTable()
  /// The settings before the changes that can be undone, and before the changes that can be redone.
  private var (past, future) = ([SettingsTable](), [SettingsTable]())
  private var turns = Turns()

  init(_ run: ScenarioRun) {
    self.run = run
  }

  /// Shows the settings until the person quits; without keys, until each was changed.
  func run() async throws {
    try await put()
    if run.hasKeys { for await _ in AsyncStream<Never>.makeStream().stream {} }
    for model in table.models {
      if !run.options.lockstep { try await Task.sleep(for: .milliseconds(300) / (run.options.speed ?? 1)) }
      await change(model.rawValue)
    }
  }

  /// Changes the setting of a row.
  func change(_ id: Item.ID) async {
    guard let model = SettingsTable.Model(rawValue: id) else { return }
    let former = table
    table.change(model)
    guard table != former else { return }
    past.append(former)
    future = []
    // A finished store stays as it is.
    _ = await show()
  }

  func undo() async -> String? {
    guard let former = past.popLast() else { return "nothing to undo" }
    future.append(table)
    return await show(former)
  }

  func redo() async -> String? {
    guard let later = future.popLast() else { return "nothing to redo" }
    past.append(table)
    return await show(later)
  }

  private func show(_ table: SettingsTable) async -> String? {
    self.table = table
    return await show()
  }

  /// Shows the settings as they are when it is their turn, so that the newest are shown at the end.
  private func show() async -> String? {
    await turns.add {
      do { try await self.put() } catch { return "\(error)" }
      return nil
    }.value
  }

  private func put() async throws {
    // The last group has no heading, and so no header.
    let list = try Snapshot(
      table.groups.enumerated().map { [table] place, group in
        ListSection(
          Group(id: "group \(place)", title: group.heading ?? ""),
          rows: group.models.map { SettingsItems.item($0, table.capabilities(of: $0)) })
      })
    try await run.store.edit { $0.replace(with: list) }
    await run.pacer.settle(at: await run.store.revision, events: 1)
  }
}

/// Chooses the cells of settings that travel as items: an item says what its model has to show.
struct SettingsItems: CellProvider {
  private let cells = StaticCells(SettingsTable())

  /// A setting as a row of the demo's lists.
  static func item(_ model: SettingsTable.Model, _ capabilities: Capabilities) -> Item {
    let state = capabilities[.isOn].map { $0 ? "on" : "off" } ?? capabilities[.subtitle]
    return Item(
      id: model.rawValue, title: capabilities[.title] ?? "", subtitle: state,
      kind: capabilities[.isOn] == nil ? "choice" : "switch")
  }

  /// The cell of the item's model.
  func request(for row: Item) throws(TableError) -> CellRequest {
    guard let model = SettingsTable.Model(rawValue: row.id) else {
      throw .unregistered(identifier: row.reuseIdentifier)
    }
    let isOn = row.kind == "switch" ? row.subtitle == "on" : nil
    let capabilities = Capabilities().setting(.title, to: row.title).setting(.isOn, to: isOn)
      .setting(.subtitle, to: row.subtitle)
    return cells.request(for: model, capabilities)
  }
}
