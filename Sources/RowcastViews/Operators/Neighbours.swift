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

/// The rows of a list, each with its neighbours.
@usableFromInline
struct Neighbours<Section: SectionViewModel, InputRow: RowViewModel>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, InputRow>
  @usableFromInline typealias Row = RowWithNeighbours<InputRow>

  @usableFromInline let output = ListOutput<Section, Row>()

  @inlinable
  init() {}

  @inlinable
  func section(_ index: Int, of list: Input) -> ListSection<Section, Row> {
    let rows = Array(list.rows(inSection: index))
    return ListSection(
      list.section(at: index),
      rows: rows.indices.map { index in
        Row(
          rows[index], previous: index > 0 ? rows[index - 1] : nil,
          next: index + 1 < rows.count ? rows[index + 1] : nil)
      })
  }

  @inlinable
  func row(_ list: Input, at path: RowPath) -> Row {
    let (before, after) = path.neighbours(in: list)
    return Row(list.row(at: path), previous: before.map(list.row(at:)), next: after.map(list.row(at:)))
  }

  @inlinable
  func rebuild(from list: Input) { output.rebuild(from: (0..<list.sectionCount).map { section($0, of: list) }) }

  @inlinable
  func step(_ change: TouchingChanges, from before: Input, to after: Input) {
    let (changes, touched) = change
    output.open()
    output.draft.edit(
      ListPatch(
        changes, insertedSections: changes.sections.inserts.map { section($0, of: after) },
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
  }

  @inlinable
  func checkInvariants(for input: Input) {
    assert(output.snapshot.rowCount == input.rowCount, "\(output.snapshot.rowCount) of \(input.rowCount) rows")
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
      ListNode(Neighbours<Section, Row>(), reading: builder.node(of: self)).ending(with: tail)
    }
  }
}
