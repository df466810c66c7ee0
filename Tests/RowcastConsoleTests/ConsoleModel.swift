import Foundation

@testable import RowcastConsole

/// An app with an outline, as arrays: its rows, a person's actions on them, the row with the focus, and the selected rows.
struct ConsoleModel: Sendable {
  typealias Fold = (id: Int, isExpanded: Bool, descendants: Bool)

  var leaves: [Leaf] = []
  /// What was expanded and collapsed, the newest last: without a filter, and since there is one.
  var (folds, foundFolds) = ([Fold](), [Fold]())
  var filter = ""
  /// 0 for the order of the list, 1 by size, 2 by title.
  var order = 0
  var isReversed = false
  var focus: Int?
  var selection: Int?
  /// The text that hits are marked for.
  var searched: String?
  /// The row that was clicked last, if another click on it now makes two.
  var lastClick: Int?

  private func named(_ leaf: Leaf) -> Int? {
    leaf.place.parent.flatMap { id in leaves.contains { $0.id == id } ? id : nil }
  }

  func children(of id: Int?) -> [Leaf] {
    let children = leaves.filter { named($0) == id }.enumerated().sorted { first, second in
      let (a, b) = (first.element, second.element)
      if order == 1, a.size != b.size { return (a.size > b.size) != isReversed }
      if order == 2, a.title != b.title { return (a.title < b.title) != isReversed }
      return first.offset < second.offset
    }
    return children.map(\.element).filter(isKept)
  }

  func ancestors(of id: Int) -> [Int] {
    guard let leaf = leaves.first(where: { $0.id == id }), let parent = named(leaf) else { return [] }
    return [parent] + ancestors(of: parent)
  }

  func passes(_ leaf: Leaf) -> Bool { leaf.shows(filter) || filter.isEmpty }

  private func isKept(_ leaf: Leaf) -> Bool {
    passes(leaf) || leaves.contains { named($0) == leaf.id && isKept($0) }
  }

  func isExpanded(_ id: Int) -> Bool {
    let above = ancestors(of: id)
    let last = (filter.isEmpty ? folds : foundFolds).last { $0.id == id || $0.descendants && above.contains($0.id) }
    return last?.isExpanded ?? (above.isEmpty || !filter.isEmpty)
  }

  /// The rows that are shown.
  var shown: [Leaf] {
    func under(_ id: Int?) -> [Leaf] { children(of: id).flatMap { [$0] + (isExpanded($0.id) ? under($0.id) : []) } }
    return under(nil)
  }

  /// The lines of the rows, with the signs of the focus and of the selection, and a dot if the filter does not find them.
  var lines: [String] {
    shown.map { leaf in
      let mark = children(of: leaf.id).isEmpty ? "  " : isExpanded(leaf.id) ? "▾ " : "▸ "
      let size = String(repeating: " ", count: 6 - "\(leaf.size)".count) + "\(leaf.size)"
      let guides = String(repeating: "│ ", count: ancestors(of: leaf.id).count) + mark
      return (leaf.id == focus ? "▸" : " ") + (leaf.id == selection ? "*" : " ") + (passes(leaf) ? " " : "·")
        + " \(size)  \(guides)\(leaf.shownTitle)"
    }
  }

  /// The line above the rows, with the order. Numbers are largest first.
  var heading: String {
    let signs = isReversed ? ["", "▴", "▾"] : ["", "▾", "▴"]
    let size = "SIZE" + (order == 1 ? signs[1] : "")
    return "    " + String(repeating: " ", count: 6 - size.count) + size + "  NAME" + (order == 2 ? signs[2] : "")
  }

  /// Changes the outline, and moves the focus if its row is hidden or removed.
  mutating func change(_ change: (inout ConsoleModel) -> Void) {
    let (before, former) = (shown.map(\.id), focus.map { [$0] + ancestors(of: $0) } ?? [])
    change(&self)
    let after = shown.map(\.id)
    // What is not shown is not selected.
    selection = selection.flatMap { after.contains($0) ? $0 : nil }
    guard let id = focus, !after.contains(id), let index = before.firstIndex(of: id) else { return }
    focus = before[index...].first(where: after.contains) ?? before[..<index].last(where: after.contains)
    if let left = former.first(where: after.contains), children(of: left).isEmpty || !isExpanded(left) { focus = left }
  }

  mutating func fold(_ id: Int, isExpanded: Bool, descendants: Bool = false) {
    let folds = filter.isEmpty ? \ConsoleModel.folds : \.foundFolds
    change { $0[keyPath: folds].append((id, isExpanded, descendants)) }
  }

  mutating func filter(by text: String) {
    change {
      if $0.filter.isEmpty { $0.foundFolds = [] }
      $0.filter = text
    }
  }

  mutating func sort(by order: Int, reversing: Bool = false) {
    change { ($0.order, $0.isReversed) = (order, reversing && $0.order == order && !$0.isReversed) }
  }

  mutating func select(_ id: Int) { selection = selection == id ? nil : id }

  /// Enter, or a double click.
  mutating func toggle() {
    guard let focus else { return }
    if children(of: focus).isEmpty { select(focus) } else { fold(focus, isExpanded: !isExpanded(focus)) }
  }

  mutating func click(_ id: Int) {
    let isSecond = lastClick == id
    (focus, lastClick) = (id, isSecond ? nil : id)
    if isSecond { toggle() }
  }

  /// Goes to the next row with the text that is searched for, or to the one before.
  mutating func goOn(_ step: Int) {
    let rows = shown
    guard let searched, let focus, let start = rows.firstIndex(where: { $0.id == focus }) else { return }
    let indexes = (1...rows.count).map { (start + step * $0 + rows.count * $0) % rows.count }
    if let hit = indexes.first(where: { rows[$0].shows(searched) }) { self.focus = rows[hit].id }
  }

  /// Moves the focused row past its next or previous sibling. Returns false if it cannot be moved.
  mutating func move(by step: Int) -> Bool {
    guard let focus, order == 0, let leaf = leaves.first(where: { $0.id == focus }) else { return false }
    let siblings = children(of: named(leaf)).map(\.id)
    guard let index = siblings.firstIndex(of: focus), siblings.indices.contains(index + step) else { return false }
    let next = index + (step < 0 ? -1 : 2)
    change {
      $0.leaves.removeAll { $0.id == focus }
      let place = siblings.indices.contains(next) ? $0.leaves.firstIndex { $0.id == siblings[next] } : nil
      $0.leaves.insert(leaf, at: place ?? $0.leaves.count)
    }
    return true
  }

  /// Presses a key. `first` is the first row on the screen.
  mutating func press(_ key: Key, first: Int?) {
    let ids = shown.map(\.id)
    if key == .home || key == .end {
      if focus != nil { focus = key == .home ? ids.first : ids.last }
      return
    }
    guard let id = focus, let index = ids.firstIndex(of: id) else {
      if key != .enter, key != "*" { focus = first }
      return
    }
    let hasChildren = !children(of: id).isEmpty
    switch key {
    case .up: focus = ids[max(0, index - 1)]
    case .down: focus = ids[min(ids.count - 1, index + 1)]
    case .right where hasChildren && isExpanded(id): focus = ids[index + 1]
    case .right where hasChildren: fold(id, isExpanded: true)
    case .left where hasChildren && isExpanded(id): fold(id, isExpanded: false)
    case .left: focus = ancestors(of: id).first ?? id
    case .enter: toggle()
    case "*" where hasChildren: fold(id, isExpanded: true, descendants: true)
    default: break
    }
  }
}

extension Leaf {
  /// Texts that a screen shows as others.
  static var disguises: [(raw: String, shown: String)] {
    [
      ("", ""), ("\t", " "), ("\r\n", " "), ("\u{1B}[1m", "␛[1m"), ("\u{202E}", "<U+202E>"), ("\0", "␀"), ("\r", " "),
      ("日\u{9B}", "日<U+009B>"),
    ]
  }

  /// The title as a screen shows it.
  var shownTitle: String {
    // Carriage returns with line feeds are looked for before those without.
    Self.disguises.reduce(title) { $1.raw.isEmpty ? $0 : $0.replacingOccurrences(of: $1.raw, with: $1.shown) }
  }

  /// True if one of the columns shows a text.
  func shows(_ text: String) -> Bool {
    "\(size)".contains(text) || shownTitle.lowercased().contains(text.lowercased())
  }
}
