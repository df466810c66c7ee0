#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastTable

  /// A search for the next row with a text, in slices: between two of them the app handles keys and draws.
  struct RowSearch {
    /// The most rows of a slice, so that none takes longer than a frame.
    static let slice = 2_000

    let step: Int
    /// The next row to look at; perhaps before the first one of its section, or after the last.
    private var next: RowPath
    /// The number of rows still to look at.
    private(set) var rest: Int

    /// Begins at a row, down if `step` is 1, up if it is -1.
    init(from start: RowPath, step: Int, rows: Int) { (next, self.step, rest) = (start, step, rows) }

    /// The next row of the list for which the closure returns true, if it is in this slice.
    mutating func advance<Section, Row>(
      in list: ListSnapshot<Section, Row>, _ isHit: (Row) -> Bool
    ) -> RowPath? {
      // The list may have become shorter.
      rest = min(rest, list.rowCount)
      for _ in 0..<Self.slice where rest > 0 {
        if next.section < 0 || next.section >= list.sectionCount {
          turn(step > 0 ? 0 : list.sectionCount - 1, in: list)
        }
        let path = next
        if step < 0, path.row >= list.rowCount(inSection: path.section) { turn(path.section, in: list) }
        guard list.contains(next) else {
          turn(next.section + step, in: list)
          continue
        }
        defer { next.row += step }
        rest -= 1
        if isHit(list.row(at: next)) { return next }
      }
      return nil
    }

    /// Goes to the first row of a section, or to the last one on the way up.
    private mutating func turn(_ section: Int, in list: ListSnapshot<some Any, some Any>) {
      let isThere = (0..<list.sectionCount).contains(section)
      next = RowPath(section: section, row: step > 0 || !isThere ? 0 : list.rowCount(inSection: section) - 1)
    }
  }

  extension AppState {
    /// Marks the hits of a text on the screen; an empty one ends the search.
    mutating func search(for text: String) {
      status.search = TextMatcher(text)
      search.run = nil
      wantFrame()
    }

    /// Goes to the next hit, or to the previous one, from the focused row on.
    mutating func goToHit(_ step: Int, in scene: Scene) {
      guard status.search != nil else { return say("nothing is searched for") }
      var start = scene.focusedPath ?? scene.firstSeenPath ?? RowPath(section: 0, row: 0)
      if scene.focusedPath != nil { start.row += step }
      search.run = RowSearch(from: start, step: step, rows: scene.list.rowCount)
      search.number += 1
      searchSlice(of: search.number, in: scene)
    }

    /// Looks at some rows; the rest follow later. A search that was replaced by another one stops.
    mutating func searchSlice(of number: Int, in scene: Scene) {
      guard number == search.number, let matcher = status.search, var run = search.run else { return }
      let hit = run.advance(in: scene.list) { matcher.occurs(in: $0, showing: columns) }
      search.run = hit == nil && run.rest > 0 ? run : nil
      if let hit {
        say(nil)
        effects.append(.table(.show(hit)))
      } else if search.run == nil {
        say("no row has \"\(matcher.text)\"")
      } else {
        let count = max(1, scene.list.rowCount)
        say("searching, \(min(99, 100 - run.rest * 100 / count)) %; Esc ends it")
        effects.append(.searchSlice(number))
      }
    }
  }
#endif
