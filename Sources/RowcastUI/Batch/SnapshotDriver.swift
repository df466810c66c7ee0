public import RowcastDiff
public import RowcastModel

/// Applies whole lists to a view, for an app that makes lists instead of following a store.
///
///     let driver = SnapshotDriver<Channel, Message>(tableView)
///     await driver.apply(try ListSnapshot(sections))
///
/// The view's data source reads the members.
@MainActor
public final class SnapshotDriver<Section: SectionViewModel, Row: RowViewModel> {
  private let driver: BatchDriver<Section, Row>
  /// The number of lists that were given, and the number of the one that was passed on last.
  private var lastGiven = 0
  private var lastPassedOn = 0

  /// Drives a view of sections.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - snapshot: The list that the view shows when it first loads itself.
  public init(_ view: some BatchView, showing snapshot: ListSnapshot<Section, Row> = .init()) {
    driver = BatchDriver(view, showing: snapshot)
  }

  /// Drives a view of rows alone.
  ///
  /// - Parameters:
  ///   - view: The view. Its data source reads ``snapshot`` through a ``FlatLayout``.
  ///   - hasHeaders: True if each section begins with a row of its own.
  ///   - snapshot: The list that the view shows when it first loads itself.
  public init(
    flat view: some FlatBatchView, hasHeaders: Bool, showing snapshot: ListSnapshot<Section, Row> = .init()
  ) {
    driver = BatchDriver(flat: view, hasHeaders: hasHeaders, showing: snapshot)
  }

  /// The list that the view shows.
  public var snapshot: ListSnapshot<Section, Row> { driver.snapshot }

  /// The number of sections that the view shows.
  public var numberOfSections: Int { snapshot.sectionCount }

  /// The number of rows that the view shows in a section.
  ///
  /// - Precondition: The index lies within the list.
  public func numberOfRows(inSection section: Int) -> Int { snapshot.rowCount(inSection: section) }

  /// A section that the view shows.
  ///
  /// - Precondition: The index lies within the list.
  public func section(at index: Int) -> Section { snapshot.section(at: index) }

  /// A row that the view shows.
  ///
  /// - Precondition: The path lies within the list.
  public func row(at path: RowPath) -> Row { snapshot.row(at: path) }

  /// Shows a list. The difference is made off the main actor.
  ///
  /// Of lists that are given before the view is at rest, the newest is shown.
  ///
  /// - Parameter list: The list to show.
  public func apply(_ list: ListSnapshot<Section, Row>) async {
    lastGiven += 1
    let number = lastGiven
    let base = lastPassedOn
    let changes = await Self.changes(from: driver.newest, to: list)
    // Differences take their time, and may come back in another order than the lists were given in.
    if number > lastPassedOn {
      driver.show(list, lastPassedOn == base ? changes : nil)
      lastPassedOn = number
      assert(number <= lastGiven, "list \(number) of \(lastGiven) was passed on")
    }
    await driver.settled()
  }

  @concurrent
  private nonisolated static func changes(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) async -> ListChanges { before.changes(to: after) }
}
