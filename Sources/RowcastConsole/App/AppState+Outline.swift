#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastTable
  import RowcastViews

  extension AppState {
    private func place(of row: Row) -> OutlinePlace<Row.ID>? { app.outline.map { row[keyPath: $0.place] } }

    private func depth(of row: Row) -> Int { place(of: row)?.depth ?? 0 }

    /// The path and the place of the focused row, if it is in an outline.
    private func focused(in scene: Scene) -> (path: RowPath, place: OutlinePlace<Row.ID>)? {
      guard let path = scene.focusedPath else { return nil }
      return place(of: scene.list.row(at: path)).map { (path, $0) }
    }

    /// Expands the focused row, or focuses its first child. Without a focus, focuses the first visible row.
    mutating func expand(in scene: Scene) {
      guard let (path, place) = focused(in: scene) else { return moveFocus(byRows: 0, in: scene) }
      // Sorting, or following the end of the list, may have moved the row out of view.
      effects.append(.table(.show(path)))
      if place.isExpanded {
        effects.append(.table(.moveFocus(byRows: 1)))
      } else {
        fold(path, isExpanded: true, in: scene)
      }
    }

    /// Collapses the focused row, or focuses its parent.
    mutating func collapse(in scene: Scene) {
      guard let (path, place) = focused(in: scene) else { return moveFocus(byRows: 0, in: scene) }
      effects.append(.table(.show(path)))
      if place.isExpanded { return fold(path, isExpanded: false, in: scene) }
      let rows = scene.list.rows(inSection: path.section)
      let parent = (0..<path.row).last { depth(of: rows[$0]) < place.depth }
      if let parent { effects.append(.table(.show(RowPath(section: path.section, row: parent)))) }
    }

    /// Expands or collapses the focused row, at a path. Selects or deselects a row without children.
    mutating func toggle(_ path: RowPath, in scene: Scene) {
      if let place = place(of: scene.list.row(at: path)), place.hasChildren {
        fold(path, isExpanded: !place.isExpanded, in: scene)
      } else {
        effects.append(.table(.toggleFocusedRow))
      }
    }

    /// Expands or collapses a row that has children, perhaps with all its descendants.
    mutating func fold(_ path: RowPath, isExpanded: Bool, descendants: Bool = false, in scene: Scene) {
      let row = scene.list.row(at: path)
      guard let arranging, place(of: row)?.hasChildren ?? false else { return }
      run(isExpanded ? "expand" : "collapse") { [id = row.id] in
        await arranging.fold(id, isExpanded: isExpanded, descendants: descendants)
        return nil
      }
    }

    /// Moves the focus from a row that an update has hidden to its nearest remaining ancestor, unless that is expanded.
    /// `path` is the path of the row in the previous list.
    mutating func moveFocus(
      fromHidden path: RowPath, in before: ListSnapshot<Section, Row>, _ changes: ListChanges, in scene: Scene
    ) {
      guard scene.focusedID != before.row(at: path).id else { return }
      let map = PathMap(changes, from: before, to: scene.list)
      let rows = before.rows(inSection: path.section)
      var depth = depth(of: rows[path.row])
      for row in (0..<path.row).reversed() where depth > 0 && self.depth(of: rows[row]) < depth {
        depth = self.depth(of: rows[row])
        guard let path = map.destination(of: RowPath(section: path.section, row: row)) else { continue }
        if place(of: scene.list.row(at: path))?.isExpanded == false { effects.append(.table(.show(path))) }
        return
      }
    }

    /// The path of the next sibling of a row in a direction.
    func neighbour(of path: RowPath, _ step: Int, in list: ListSnapshot<Section, Row>) -> RowPath? {
      let rows = list.rows(inSection: path.section)
      let depth = depth(of: rows[path.row])
      var row = path.row + step
      while rows.indices.contains(row), self.depth(of: rows[row]) > depth { row += step }
      guard rows.indices.contains(row), self.depth(of: rows[row]) == depth else { return nil }
      return RowPath(section: path.section, row: row)
    }
  }
#endif
