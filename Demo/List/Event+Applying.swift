import Rowcast
import RowcastConsole

/// Why an event cannot be applied, beyond what the list itself says.
enum EventError: Error, Equatable, CustomStringConvertible {
  case missingSection(id: String)

  var description: String {
    switch self {
    case .missingSection(let id): "the row \"\(id)\" is new, so \"section\" is required"
    }
  }
}

extension Event {
  /// Does to a list what the event says.
  func apply(to list: inout Editor) throws {
    switch self {
    case .upsert(let id, let fields):
      try Self.upsert(id, fields, in: &list)
    case .delete(let id):
      try list.remove(id)
    case .move(let id, let section, let index):
      // An unknown row has no section; the move itself then says so.
      try Self.move(id, to: section ?? list.sectionID(ofRow: id) ?? "", index: index, in: &list)
    case .upsertSection(let id, let title, let index):
      try Self.upsertSection(id, title: title, index: index, in: &list)
    case .deleteSection(let id):
      try list.removeSection(id)
    case .moveSection(let id, let index):
      try list.moveSection(id, to: index)
    case .replace(let sections):
      list.replace(with: try ListSnapshot(sections))
    case .batch(let events):
      for (position, event) in events.enumerated() {
        do {
          try event.apply(to: &list)
        } catch {
          throw BatchEventError(position: position, reason: "\(error)")
        }
      }
    }
  }

  private static func upsert(_ id: String, _ fields: Fields, in list: inout Editor) throws {
    if let section = fields.section, list.index(ofSection: section) == nil {
      try list.append(Group(id: section))
    }
    guard let own = list.sectionID(ofRow: id) else {
      guard let section = fields.section else { throw EventError.missingSection(id: id) }
      let row = Item(id: id, title: fields.title, subtitle: fields.subtitle ?? nil, kind: fields.kind)
      guard let index = fields.index else { return try list.append(row, to: section) }
      return try list.insert(row, at: index, in: section)
    }
    try list.update(id) { row in
      if let title = fields.title { row.title = title }
      if let subtitle = fields.subtitle { row.subtitle = subtitle }
      if let kind = fields.kind { row.kind = kind }
    }
    let target = fields.section ?? own
    // The row's own section, and no index: the row stays where it is.
    guard target != own || fields.index != nil else { return }
    try move(id, to: target, index: fields.index, in: &list)
  }

  private static func move(_ id: String, to section: String, index: Int?, in list: inout Editor) throws {
    guard let index else { return try list.move(id, toEndOf: section) }
    try list.move(id, to: index, in: section)
  }

  private static func upsertSection(
    _ id: String, title: String?, index: Int?, in list: inout Editor
  ) throws {
    guard list.index(ofSection: id) != nil else {
      return try list.insert(Group(id: id, title: title), at: index ?? list.snapshot.sectionCount)
    }
    if let title { try list.updateSection(id) { $0.content.title = title } }
    if let index { try list.moveSection(id, to: index) }
  }
}

/// The event of a batch that made it fail.
struct BatchEventError: Error, CustomStringConvertible {
  let position: Int
  let reason: String

  var description: String { "event \(position) of the batch: \(reason)" }
}
