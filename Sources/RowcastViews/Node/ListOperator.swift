public import RowcastDiff
public import RowcastModel

/// A way to make a list of others, and to follow them from version to version.
///
/// A node owns it, and decides what to call; see ``ListNode/init(_:pull:input:failures:)``. An operator pulls nothing: all that
/// it reads is in its input, of which it gets the version of which its list is made, and the next. An index that it shares with its
/// source is at the next one already. Several sources that have changed are one step. It is a structure with methods that are
/// `@inlinable`, so that they are specialised for its users' types.
@usableFromInline
protocol ListOperator<Section, Row> {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel
  /// A version of all that it reads: a list, several lists, or a list and a value.
  associatedtype Input
  /// The difference between two versions.
  associatedtype Change = ListChanges
  /// A ``ListOutput``, which steps edit, or a value, which they replace.
  associatedtype Output = ListOutput<Section, Row>

  var output: Output { get }
  /// The list as of the last call.
  var snapshot: ListSnapshot<Section, Row> { get }
  /// Finds a row in that list; `nil` without an index. It is asked for once.
  var path: ((Row.ID) -> RowPath?)? { get }
  /// The errors of rows, apart from those that the sources have.
  var failures: [Row.ID: any Error] { get }

  /// Makes the list of a version, whatever it was made of before.
  ///
  /// The first one may end early, with any list, when ``isAbandoned(at:)`` returns true: that list is never shown, and the next pull
  /// calls this function again. Rows whose function has failed may be kept from the list before.
  mutating func rebuild(from input: Input)

  /// Compares two versions. Without this function: the changes of a list.
  func change(from before: Input, to after: Input) -> Change

  /// The numbers of rows that a step and a rebuild look at. If the step takes more, the list is rebuilt instead. Without this
  /// function, the node calls `step`, unless the input is one list and the change ``TouchingChanges``.
  func work(for change: Change, to after: Input) -> (step: Int, rebuild: Int)

  /// Brings the list, which is made of `before`, to the next version: it is then the list that `rebuild` would make, apart from rows
  /// that are kept after a failure. A step is never abandoned.
  mutating func step(_ change: Change, from before: Input, to after: Input)

  /// Ends a step, or a rebuild in place of one. Returns true if the list is not the same as before.
  func commit(from before: ListSnapshot<Section, Row>) -> Bool

  /// Checks, in debug builds, that the parts of the operator agree: after each step, and each rebuild that was not abandoned. No
  /// row is looked at: that would call the app.
  func checkInvariants(for input: Input)
}

extension ListOperator {
  @inlinable var path: ((Row.ID) -> RowPath?)? { nil }
  @inlinable var failures: [Row.ID: any Error] { [:] }

  @inlinable
  func work(for change: Change, to after: Input) -> (step: Int, rebuild: Int) { (0, 0) }

  @inlinable
  func checkInvariants(for input: Input) {}
}

extension ListOperator where Input: DifferingList, Change == ListChanges {
  @inlinable
  func change(from before: Input, to after: Input) -> ListChanges { before.changes(to: after) }
}

extension ListOperator where Input: DifferingList, Change == TouchingChanges {
  @inlinable
  func change(from before: Input, to after: Input) -> TouchingChanges {
    let changes = before.changes(to: after)
    return (changes, TouchedRows(changes.rows))
  }

  @inlinable
  func work(for change: TouchingChanges, to after: Input) -> (step: Int, rebuild: Int) {
    (change.rows.count, after.rowCount)
  }
}

extension ListOperator where Output == ListOutput<Section, Row> {
  @inlinable var snapshot: ListSnapshot<Section, Row> { output.snapshot }
  @inlinable var path: ((Row.ID) -> RowPath?)? { { [output] in output.path(ofRow: $0) } }

  @inlinable
  func commit(from before: ListSnapshot<Section, Row>) -> Bool { output.commit(from: before) }
}

extension ListOperator where Output == ListSnapshot<Section, Row> {
  @inlinable var snapshot: ListSnapshot<Section, Row> { output }

  @inlinable
  func commit(from before: ListSnapshot<Section, Row>) -> Bool { output != before }
}

extension ListOperator where Output == RelabelledList<Section, Row> {
  @inlinable var snapshot: ListSnapshot<Section, Row> { output.list }

  @inlinable
  func commit(from before: ListSnapshot<Section, Row>) -> Bool { output.list != before }
}

/// Returns true if rebuilding a list takes less than a step, by the numbers of rows that both look at.
@inlinable
func isBetterRebuilt(_ work: (step: Int, rebuild: Int)) -> Bool { work.step > 64 + work.rebuild / 4 }

/// True if nobody wants the list that is being rebuilt. It may be asked of every row, or of some: it looks at one in 4,096.
@inlinable
func isAbandoned(at row: Int) -> Bool { row % 4_096 == 0 && ValueLifetime.isOver }

/// The changes of a list, and the rows to look at after them.
@usableFromInline typealias TouchingChanges = (all: ListChanges, rows: TouchedRows)
