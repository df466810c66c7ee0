import Rowcast
import RowcastConsole

struct Item: RowViewModel, Codable {
  let id: Int
  var text: String
}

typealias Archive = ListArchive<SoleSection, Item>
typealias Store = ListStore<SoleSection, Item>

/// An edit, and what it does to a list, without any code of Rowcast.
struct Edit {
  var id: Int
  /// `nil` if the row is removed.
  var text: String?

  func apply(to list: inout [Item]) {
    let index = list.firstIndex { $0.id == id }
    switch (index, text) {
    case (let index?, let text?): list[index].text = text
    case (let index?, nil): list.remove(at: index)
    case (nil, let text?): list.append(Item(id: id, text: text))
    case (nil, nil): break
    }
  }
}

extension [Edit] {
  func apply(to store: Store) async throws {
    try await store.edit { list in
      for edit in self {
        if let text = edit.text { try list.upsert(Item(id: edit.id, text: text)) } else { try list.remove(edit.id) }
      }
    }
  }
}

extension ListSnapshot<SoleSection, Item> {
  var items: [Item] { allRows.map { $0 } }
}

/// A list that tells how many edits it has seen.
enum NumberedList {
  /// The edit with a number, which is the text of one row. Some are longer than what follows a whole list.
  static func edit(_ number: Int) -> [Edit] {
    let text = "text \(number)" + (number % 6 == 5 ? String(repeating: "x", count: 17_000) : "")
    return [
      Edit(id: 100, text: "\(number)"),
      number % 4 == 3 ? Edit(id: (number - 1) * 7 % 11) : Edit(id: number * 7 % 11, text: text),
    ]
  }

  static func list(after count: Int) -> [Item] {
    var list: [Item] = []
    for number in 0..<count { for edit in edit(number + 1) { edit.apply(to: &list) } }
    return list
  }

  /// The number of edits that a list has seen.
  static func count(_ list: ListSnapshot<SoleSection, Item>) -> Int {
    list.items.first { $0.id == 100 }.flatMap { Int($0.text) } ?? 0
  }
}
