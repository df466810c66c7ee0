public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Watching parts of a list. One difference per change serves all watchers; only those whose part it affects wake.
extension LiveList {
  /// Watches one section, as a list that has this section alone. The list is empty while the section is missing.
  ///
  /// Changes of other sections give no updates, nor do moves of this one among them.
  ///
  /// - Parameter id: The id of the section.
  /// - Returns: The section first, then its changes; see ``ListStore/updates()``.
  /// - Complexity: O(log n) for each changed row of the section, and O(s) for s sections when its index changes or it is missing.
  @inlinable
  public func updates(inSection id: Section.ID) -> AsyncStream<ListUpdate<Section, Row>> {
    let list = publisher
    return Subscription(
      to: ViewCore {
        let section = ListNode.reading(
          $0.state(of: PartReader(.section(id), of: list) { _, list in list }), list: { $0 })
        return ListNode(OneSection<Section, Row>(id), reading: section)
      }
    ).stream
  }

  /// One row, as a value that can be watched; `nil` while the list does not have it.
  ///
  ///     for await message in store.row(id).updates() { detail.show(message) }
  ///
  /// - Parameter id: The id of the row.
  /// - Returns: The row. It changes with its content, not with its place.
  /// - Complexity: O(n) for n rows at first. Later O(d log n) for d changed rows, once for all that watch parts of the list.
  @inlinable
  public func row(_ id: Row.ID) -> ListValue<Row?> {
    let list = publisher
    return ListValue {
      .reading(
        $0.state(
          of: PartReader(.row(id), of: list) { row, list in row ?? list.scanForPath(ofRow: id).map { list.row(at: $0) }
          })
      ) { $0 }
    }
  }

  /// The number of rows, as a value that can be watched.
  @inlinable public var rowCount: ListValue<Int> {
    let list = publisher
    return ListValue {
      .reading($0.state(of: PartReader(.rowCount, of: list) { _, list in list.rowCount })) { $0 }
    }
  }

  /// The number of rows before a row, in its section and those before it, as a value that can be watched; `nil` while the list
  /// does not have the row.
  ///
  ///     let players = games.arranged { $0.sorted(by: .descending(\.points)) }
  ///     for await rank in players.rank(of: me).updates() { badge.show(rank.map { $0 + 1 }) }
  ///
  /// - Parameter id: The id of the row.
  /// - Returns: The rank: 0 for the first row of the list.
  /// - Complexity: O(n) for n rows at first. Later O(d log n) for d changed rows, and O(s) for the s sections before the row.
  @inlinable
  public func rank(of id: Row.ID) -> ListValue<Int?> {
    let makeNode = ListNode.maker(of: self)
    return ListValue { upstreams in
      let source = makeNode(upstreams)
      return ListNode(Rank<Section, Row>(of: id), pull: source.pull, input: source.snapshot)
    }
  }
}

/// The number of rows before a row, as the value of a list.
@usableFromInline
struct Rank<InputSection: SectionViewModel, InputRow: RowViewModel>: ListOperator {
  @usableFromInline typealias Section = ValueSection<Int?>
  @usableFromInline typealias Row = IDOnly<Int>
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>

  @usableFromInline let id: InputRow.ID
  /// The row in the source.
  @usableFromInline var place: RowPath?
  @usableFromInline var output = ListSnapshot<Section, Row>()

  @inlinable
  init(of id: InputRow.ID) { self.id = id }

  @inlinable
  mutating func rebuild(from list: Input) {
    place = list.scanForPath(ofRow: id)
    update(from: list)
  }

  @inlinable
  mutating func step(_ changes: ListChanges, from before: Input, to after: Input) {
    // A row that crosses the border of an inserted or removed section is listed as one that arrives.
    place =
      place.flatMap(PathMap(changes).destination(of:))
      ?? TouchedRows(contentOf: changes, from: before, to: after).arriving.first { after.row(at: $0).id == id }
    update(from: after)
  }

  @inlinable
  mutating func update(from list: Input) {
    let rank = place.map { path in (0..<path.section).reduce(path.row) { $0 + list.rowCount(inSection: $1) } }
    if let former = output.sections.first, former.label == rank { return }
    output = output.following(rank)
  }

  @inlinable
  func checkInvariants(for input: Input) {
    assert(place.map { input.row(at: $0).id == id } ?? true, "Another row than \(id) is followed")
  }
}

/// One section of a list, as a list that has this section alone.
@usableFromInline
struct OneSection<Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, Row>

  @usableFromInline let id: Section.ID
  /// The index of the section in the source.
  @usableFromInline var index: Int?
  @usableFromInline var output = RelabelledList<Section, Row>()

  @inlinable
  init(_ id: Section.ID) { self.id = id }

  @inlinable
  mutating func rebuild(from list: Input) {
    let former = index
    if let former, former < list.sectionCount, list.section(at: former).id == id {
      return output.replace(at: 0, with: list.section(at: former), rowsOf: former, in: list)
    }
    index = list.scanForIndex(ofSection: id)
    if former != nil { output.remove(at: 0) }
    if let index { output.insert(list.section(at: index), rowsOf: index, in: list, at: 0) }
  }

  /// The changes are not needed.
  @inlinable
  func change(from before: Input, to after: Input) {}

  @inlinable
  mutating func step(_: Void, from before: Input, to after: Input) { rebuild(from: after) }
}
