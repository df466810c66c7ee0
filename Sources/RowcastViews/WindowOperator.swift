public import RowcastDiff
public import RowcastModel

/// Cuts a list to a window: its rows, in the sections that have any of them.
@usableFromInline
struct WindowOperator<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline let window: RowWindow<Row.ID>
  @usableFromInline let index: SourceIndex<Section, Row>
  @usableFromInline var counter = RowCounter()
  @usableFromInline var output = ListOutput<Section, Row>()

  @inlinable
  init(_ window: RowWindow<Row.ID>, index: SourceIndex<Section, Row>) {
    self.window = window
    self.index = index
  }

  @inlinable
  mutating func rebuild(from list: ListSnapshot<Section, Row>) {
    if window.followsRow { index.rebuild(from: list) }
    counter = RowCounter()
    output.rebuild(from: cut(list))
  }

  /// Brings the output from one list to the next. Returns true if that changed it.
  ///
  /// - Complexity: O(w + d log n) for a window of w rows and d changed rows of n, and O(sections) that the window passes.
  @inlinable
  mutating func step(from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>) -> Bool {
    let changes = before.changes(to: after)
    if window.followsRow { index.follow(changes, to: after) }
    counter.follow(changes)
    let list = output.snapshot
    let material = cut(after)
    output.open()
    output.draft.replace(with: ListSnapshot(unchecked: material))
    return output.commit(from: list)
  }

  /// The sections and rows in the window.
  @inlinable
  mutating func cut(_ list: ListSnapshot<Section, Row>) -> [ListSection<Section, Row>] {
    let positions = window.positions(count: list.rowCount) { id in
      index.path(ofRow: id).map { counter.position(of: $0, in: list) }
    }
    var material: [ListSection<Section, Row>] = []
    if !positions.isEmpty {
      counter.seek(positions.lowerBound, in: list)
      var (section, start) = (counter.section, counter.rowsBefore)
      while start < positions.upperBound {
        let count = list.rowCount(inSection: section)
        let part = positions.clamped(to: start..<start + count)
        if !part.isEmpty {
          let rows = list.rows(inSection: section, part.lowerBound - start..<part.upperBound - start)
          material.append(ListSection(list.section(at: section), rows: rows))
        }
        start += count
        section += 1
      }
    }
    return material
  }
}

extension Arrangement {
  /// Cuts the list to some of its rows, counted over all sections. Sections without any of them are left out.
  ///
  ///     .sorted(by: .descending(\.date)).window(.first(50))
  ///     .window(.around(message, count: 100))
  ///
  /// - Parameter window: The rows to keep.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(w + log n) for each changed row of n, w being the number of rows in the window.
  @inlinable
  public func window(_ window: RowWindow<Row.ID>) -> Arrangement {
    .init { builder, tail in
      let upstream = builder.node(of: self)
      var operation = WindowOperator<Section, Row>(window, index: SourceIndex(shared: upstream.path))
      return ListNode.following(
        upstream, rebuild: { operation.rebuild(from: $0) }, step: { operation.step(from: $0, to: $1) },
        snapshot: { operation.output.snapshot }, path: { operation.output.path(ofRow: $0) },
        failures: upstream.failures
      ).ending(with: tail)
    }
  }
}
