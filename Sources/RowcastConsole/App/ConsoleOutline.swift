import RowcastDiff
import RowcastModel
public import RowcastViews

/// An outline of rows in a ``ConsoleApp``, which a person expands and collapses.
///
///     struct Note: ConsoleRow {
///       let id: Int
///       var title: String
///       var subtitle: String? { nil }
///       var place = OutlinePlace<Int>()
///     }
///
///     var app = ConsoleApp(notes, columns: columns)
///     app.outline = ConsoleOutline(\.place, expansion: expansion)
///
/// The list of the app has all rows, expanded or not, and each names its parent: `OutlinePlace(parent: 7)`. The app shows the
/// rows whose ancestors are expanded, in depth-first order, each with its place. Children of a row keep the order of the
/// list, unless a person chooses another. A filter finds rows at any depth, and keeps their ancestors; rows that are expanded
/// or collapsed while it is set stay so only until it ends.
///
/// Guides are before the text of each row or, if rows have columns, in the first column that is not aligned at its end.
public struct ConsoleOutline<Row: ConsoleRow>: Sendable {
  /// The part of a row that has its place.
  let place: any WritableKeyPath<Row, OutlinePlace<Row.ID>> & Sendable
  let missingParent: MissingParentPolicy
  let expansion: OutlineExpansion<Row.ID>

  /// Creates an outline.
  ///
  /// - Parameters:
  ///   - place: The part of a row that names its parent, and takes its place in the outline.
  ///   - missingParent: The policy for rows whose parent is not in the list.
  ///   - expansion: The expanded rows. Keys change them, as does the app's own code. A screen continues after the end of its
  ///     list, so that rows can be expanded, until this has finished and no filter is set. A log ends with the list.
  public init(
    _ place: any WritableKeyPath<Row, OutlinePlace<Row.ID>> & Sendable, missingParent: MissingParentPolicy = .top,
    expansion: OutlineExpansion<Row.ID> = OutlineExpansion()
  ) {
    (self.place, self.missingParent, self.expansion) = (place, missingParent, expansion)
  }

  /// The rows of an arrangement as an outline: all of them, or those that pass, with their ancestors.
  func outline<Section>(
    _ rows: Arrangement<Section, Row, Section, Row>, expansion: OutlineExpansion<Row.ID>,
    where passes: (@Sendable (Row) -> Bool)?
  ) -> Arrangement<Section, Row, Section, Row> {
    rows.outlined(
      parent: { [place] in $0[keyPath: place].parent }, missingParent: missingParent, expansion: expansion,
      where: passes
    ) { [place] row, newPlace in
      var row = row
      row[keyPath: place] = newPlace
      return row
    }
  }
}

// MARK: - Changes that a person made

extension ConsoleOutline {
  /// The changes, without those that are caused by expanding and collapsing or concern only places: the rows of such changes
  /// are neither new nor removed.
  ///
  /// - Complexity: O(k) for k operations and rows that appear or disappear.
  func news<Section>(
    in changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) -> ListChanges {
    var (news, expanded, collapsed) = (changes, [RowPath](), [RowPath]())
    news.rows.updates.removeAll { change in
      var (old, new) = (before.row(at: change.from), after.row(at: change.to))
      let (oldPlace, newPlace) = (old[keyPath: place], new[keyPath: place])
      if oldPlace.hasChildren, newPlace.hasChildren, oldPlace.isExpanded != newPlace.isExpanded {
        if newPlace.isExpanded { expanded.append(change.to) } else { collapsed.append(change.from) }
      }
      old[keyPath: place] = newPlace
      return old == new
    }
    news.rows.inserts.remove(descendants(of: expanded, in: after))
    news.rows.deletes.remove(descendants(of: collapsed.sorted(), in: before))
    return news
  }

  /// The descendants of some rows, whose paths are ascending, as ranges that are ascending and do not overlap.
  private func descendants<Section>(
    of paths: [RowPath], in list: ListSnapshot<Section, Row>
  ) -> [Range<RowPath>] {
    paths.reduce(into: []) { ranges, path in
      if let last = ranges.last, path < last.upperBound { return }
      let rows = list.rows(inSection: path.section)
      let depth = rows[path.row][keyPath: place].depth
      let end = (path.row + 1..<rows.count).first { rows[$0][keyPath: place].depth <= depth } ?? rows.count
      ranges.append(RowPath(section: path.section, row: path.row + 1)..<RowPath(section: path.section, row: end))
    }
  }
}

extension [RowPath] {
  /// Removes the paths in some ranges; both are ascending.
  fileprivate mutating func remove(_ ranges: [Range<RowPath>]) {
    var rest = ranges[...]
    removeAll { path in
      rest = rest.drop { $0.upperBound <= path }
      return rest.first?.contains(path) ?? false
    }
  }
}
