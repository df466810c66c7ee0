import Rowcast
import RowcastConsole

/// The settings of something, described in one place: which there are, how each is shown, what choosing it does.
struct SettingsTable: StaticTable, Equatable {
  enum Model: String, CaseIterable {
    case wifi, bluetooth, notifications, theme, size, gap, version
  }

  /// The settings as they are now.
  private var isOn: Set<Model> = [.wifi]
  private var theme = Theme.automatic
  private var size = 12

  enum Theme: String, CaseIterable {
    case automatic, light, dark
  }

  var models: [Model] { Model.allCases }

  var groups: [StaticGroup<Model>] {
    [
      StaticGroup("Connections", models: [.wifi, .bluetooth, .notifications]),
      StaticGroup("Appearance", models: [.theme, .size]), StaticGroup(models: [.gap, .version]),
    ]
  }

  func cellType(for model: Model) -> any CapableCell.Type {
    switch model {
    case .wifi, .bluetooth, .notifications: SwitchCell.self
    case .theme, .size: ChoiceCell.self
    case .version: TextCell.self
    case .gap: EmptyLineCell.self
    }
  }

  func capabilities(of model: Model) -> Capabilities {
    let titled = Capabilities().setting(.title, to: title(of: model))
    switch model {
    case .wifi, .bluetooth, .notifications: return titled.setting(.isOn, to: isOn.contains(model))
    case .theme: return titled.setting(.subtitle, to: theme.rawValue)
    case .size: return titled.setting(.subtitle, to: "\(size) pt")
    case .version: return titled.setting(.subtitle, to: Help.version)
    case .gap: return Capabilities()
    }
  }

  private func title(of model: Model) -> String? {
    switch model {
    case .wifi: "Wi-Fi"
    case .bluetooth: "Bluetooth"
    case .notifications: "Notifications"
    case .theme: "Theme"
    case .size: "Text size"
    case .version: "Version"
    case .gap: nil
    }
  }

  /// Changes a setting: a switch flips, a choice takes the next value.
  mutating func change(_ model: Model) {
    switch model {
    case .wifi, .bluetooth, .notifications: isOn.formSymmetricDifference([model])
    case .theme:
      let all = Theme.allCases
      theme = all[((all.firstIndex(of: theme) ?? 0) + 1) % all.count]
    case .size: size = size >= 16 ? 10 : size + 2
    case .version, .gap: break
    }
  }
}

extension Capability where Value == Bool {
  /// Whether a switch is on. Declared here, shown by the cells that name it.
  static var isOn: Capability { Capability("isOn") }
}
