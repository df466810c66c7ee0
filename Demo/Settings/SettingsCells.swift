import Rowcast
import RowcastConsole

/// Shows a title and a text.
final class TextCell: Cell, CapableCell, ConsoleDrawable {
  var title: String?
  var subtitle: String?

  static var slots: [CapabilitySlot<TextCell>] { [.init(.title, \.title), .init(.subtitle, \.subtitle)] }
  var texts: [ConsoleText] { [ConsoleText(title ?? "", subtitle: subtitle)] }
}

/// Shows a title and one of several texts, with a sign that there are others.
final class ChoiceCell: Cell, CapableCell, ConsoleDrawable {
  var title: String?
  var choice: String?

  static var slots: [CapabilitySlot<ChoiceCell>] { [.init(.title, \.title), .init(.subtitle, \.choice)] }
  var texts: [ConsoleText] { [ConsoleText(title ?? "", subtitle: choice.map { "\($0) ›" })] }
}

/// Shows a title and a switch.
final class SwitchCell: Cell, CapableCell, ConsoleDrawable {
  var title: String?
  var isOn: Bool?

  static var slots: [CapabilitySlot<SwitchCell>] { [.init(.title, \.title), .init(.isOn, \.isOn)] }
  var texts: [ConsoleText] { [ConsoleText(title ?? "", subtitle: isOn.map { $0 ? "[on ]" : "[off]" })] }
}

/// Shows nothing, between groups of settings.
final class EmptyLineCell: Cell, CapableCell, ConsoleDrawable {
  static var slots: [CapabilitySlot<EmptyLineCell>] { [] }
  var texts: [ConsoleText] { [] }
}
