public import RowcastDiff
public import RowcastModel

/// A row with the rows next to it in its section, as `withNeighbours()` of an ``Arrangement`` makes it.
public struct RowWithNeighbours<Row: RowViewModel>: RowViewModel {
  @usableFromInline let storage: Storage

  /// The three rows. Operators copy rows often: with one reference in each, an event takes two thirds of the time. A `SharedBox` of
  /// a tuple takes twice as long to build.
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let row: Row
    @usableFromInline let previous: Row?
    @usableFromInline let next: Row?

    @inlinable
    init(_ row: Row, _ previous: Row?, _ next: Row?) { (self.row, self.previous, self.next) = (row, previous, next) }
  }

  @inlinable
  init(_ row: Row, previous: Row?, next: Row?) { storage = Storage(row, previous, next) }

  /// The row.
  @inlinable public var row: Row { storage.row }
  /// The row before it in its section, or `nil` if it is the first.
  @inlinable public var previous: Row? { storage.previous }
  /// The row after it in its section, or `nil` if it is the last.
  @inlinable public var next: Row? { storage.next }

  /// The id of the row.
  @inlinable public var id: Row.ID { storage.row.id }
  /// The reuse identifier of the row.
  public var reuseIdentifier: String { storage.row.reuseIdentifier }

  /// Returns true if the rows and their neighbours are equal.
  @inlinable
  public static func == (lhs: RowWithNeighbours, rhs: RowWithNeighbours) -> Bool {
    lhs.storage === rhs.storage
      || (areUnchanged(lhs.storage.row, rhs.storage.row) && areUnchanged(lhs.storage.previous, rhs.storage.previous)
        && areUnchanged(lhs.storage.next, rhs.storage.next))
  }
}

extension ListNode {
  /// The rows of another list, each with its neighbours.
  @inlinable
  static func neighbouring<InputRow>(
    _ upstream: ListNode<Section, InputRow>
  ) -> ListNode where Row == RowWithNeighbours<InputRow> {
    let output = ListOutput<Section, Row>()
    func rows(_ list: ListSnapshot<Section, InputRow>, _ section: Int) -> [Row] {
      let rows = Array(list.rows(inSection: section))
      return rows.indices.map { index in
        Row(
          rows[index], previous: index > 0 ? rows[index - 1] : nil,
          next: index + 1 < rows.count ? rows[index + 1] : nil)
      }
    }
    func row(_ list: ListSnapshot<Section, InputRow>, at path: RowPath) -> Row {
      let (before, after) = path.neighbours(in: list)
      return Row(list.row(at: path), previous: before.map(list.row(at:)), next: after.map(list.row(at:)))
    }
    func rebuild(_ list: ListSnapshot<Section, InputRow>) {
      output.rebuild(
        from: (0..<list.sectionCount).map { ListSection(list.section(at: $0), rows: rows(list, $0)) })
    }
    return editing(
      upstream, output, rebuild: rebuild,
      edit: { changes, before, after in
        let touched = TouchedRows(changes.rows)
        if after.isBetterRebuilt(for: touched.count) { return rebuild(after) }
        output.open()
        output.draft.edit(
          ListPatch(
            changes,
            insertedSections: changes.sections.inserts.map {
              ListSection(after.section(at: $0), rows: rows(after, $0))
            },
            updatedSections: changes.sections.updates.map { after.section(at: $0.to) },
            insertedRows: changes.rows.inserts.map { row(after, at: $0) }))
        var paths = Set(touched.current)
        for path in touched.current {
          let (previous, next) = path.neighbours(in: after)
          paths.formUnion([previous, next].compactMap { $0 })
        }
        // Rows that leave were between two others, which may be anywhere now.
        for path in touched.leaving + touched.staying.compactMap({ $0.hasMoved ? $0.former : nil }) {
          let (previous, next) = path.neighbours(in: before)
          for case let neighbour? in [previous, next] {
            if let path = output.draft.locate(before.row(at: neighbour).id)?.path { paths.insert(path) }
          }
        }
        for path in paths { output.draft.replaceRow(at: path, with: row(after, at: path)) }
        assert(output.draft.list.rowCount == after.rowCount, "\(output.draft.list.rowCount) of \(after.rowCount) rows")
      }, failures: upstream.failures)
  }
}

extension RowPath {
  /// The paths of the rows before and after a row in its section.
  @inlinable
  func neighbours<Section, Row>(in list: ListSnapshot<Section, Row>) -> (previous: RowPath?, next: RowPath?) {
    (
      row > 0 ? RowPath(section: section, row: row - 1) : nil,
      row + 1 < list.rowCount(inSection: section) ? RowPath(section: section, row: row + 1) : nil
    )
  }
}

extension Arrangement {
  /// Gives each row the rows next to it in its section: bubbles of a chat that know if the same person wrote the one before.
  ///
  ///     messages.arranged {
  ///       $0.sectioned(by: \.day) { Day(id: $0) }.withNeighbours().map { message in
  ///         Bubble(message.row, showsAuthor: message.previous?.author != message.row.author)
  ///       }
  ///     }
  ///
  /// Neighbours are neighbours at this point of the arrangement: filter and sort before, map after. An operator that follows sees
  /// a row and at most four others for each row that changed. These are the rows next to it, and, if it was removed or moved,
  /// also the rows next to its former place.
  ///
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  @inlinable
  public func withNeighbours() -> Arrangement<SourceSection, SourceRow, Section, RowWithNeighbours<Row>> {
    .init { builder, tail in
      ListNode<Section, RowWithNeighbours<Row>>.neighbouring(builder.node(of: self)).ending(with: tail)
    }
  }
}
