#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastTable
  import RowcastViews

  extension AppSession {
    /// The focused row, its path and its place in the outline.
    private var focused: (id: Row.ID, path: RowPath, place: OutlinePlace<Row.ID>)? {
      guard let path = table.focusedPath else { return nil }
      let row = table.snapshot.row(at: path)
      return place(of: row).map { (row.id, path, $0) }
    }

    private func place(of row: Row) -> OutlinePlace<Row.ID>? { app.outline.map { row[keyPath: $0.place] } }

    private func depth(of row: Row) -> Int { place(of: row)?.depth ?? 0 }

    /// Expands the focused row, or goes to its first child, which comes next. Without a focus a row gets it.
    func expand() throws {
      guard let focused else { return try moveFocus(byRows: 0) }
      // An order or a list that follows its end may have taken it out of sight.
      show(focused.path)
      if focused.place.isExpanded { try table.moveFocus(byRows: 1) } else { fold(isExpanded: true) }
    }

    /// Collapses the focused row, or goes to the one that it stands under.
    func collapse() throws {
      guard let focused else { return try moveFocus(byRows: 0) }
      show(focused.path)
      if focused.place.isExpanded { return fold(isExpanded: false) }
      let rows = table.snapshot.rows(inSection: focused.path.section)
      let parent = (0..<focused.path.row).last { depth(of: rows[$0]) < focused.place.depth }
      if let parent { show(RowPath(section: focused.path.section, row: parent)) }
    }

    /// Expands or collapses the focused row. Selects or deselects one under which no other stands.
    func toggle() {
      if let place = focused?.place, place.hasChildren {
        fold(isExpanded: !place.isExpanded)
      } else {
        table.toggleFocusedRow()
      }
    }

    /// Expands or collapses the focused row if others stand under it, perhaps with all of these.
    func fold(isExpanded: Bool, descendants: Bool = false) {
      guard let arranging, let focused, focused.place.hasChildren else { return }
      run(isExpanded ? "expand" : "collapse") {
        await arranging.fold(focused.id, isExpanded: isExpanded, descendants: descendants)
        return nil
      }
    }

    /// Moves the focus from a row that an update has hidden, by its path in the list before, to the row that hides it: the nearest
    /// ancestor that is left, unless that is expanded.
    func moveFocus(fromHidden path: RowPath, in before: ListSnapshot<Section, Row>, _ changes: ListChanges) {
      guard table.focusedID != before.row(at: path).id else { return }
      let map = PathMap(changes, from: before, to: table.snapshot)
      let rows = before.rows(inSection: path.section)
      var depth = depth(of: rows[path.row])
      for row in (0..<path.row).reversed() where depth > 0 && self.depth(of: rows[row]) < depth {
        depth = self.depth(of: rows[row])
        guard let path = map.destination(of: RowPath(section: path.section, row: row)) else { continue }
        if place(of: table.snapshot.row(at: path))?.isExpanded == false { show(path) }
        return
      }
    }

    /// The path of the next row in a direction that stands beside one: under the same row, in an outline.
    func neighbour(of path: RowPath, _ step: Int) -> RowPath? {
      let rows = table.snapshot.rows(inSection: path.section)
      let depth = depth(of: rows[path.row])
      var row = path.row + step
      while rows.indices.contains(row), self.depth(of: rows[row]) > depth { row += step }
      guard rows.indices.contains(row), self.depth(of: rows[row]) == depth else { return nil }
      return RowPath(section: path.section, row: row)
    }
  }
#endif
