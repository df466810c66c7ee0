#if canImport(RowcastPlatform)
  import Foundation
  public import RowcastModel
  import RowcastPlatform
  public import RowcastSources
  public import RowcastStore
  public import RowcastTable
  public import RowcastViews

  /// A terminal app that shows a list: it draws, scrolls, follows, filters, sorts, pauses, selects, resizes, suspends, and
  /// leaves the terminal as it was, however it ends.
  ///
  ///     var registry = CellRegistry<Process>()
  ///     registry.register(ConsoleCell<Process>.self)
  ///     var app = ConsoleApp(processes, cells: registry)
  ///     app.title = "processes"
  ///     app.keys = [KeyCommand("r", label: "refresh", help: "read them again") { _ in await reload() }]
  ///     try await app.run()
  ///
  /// Rows in columns take ``init(_:columns:)``. On a terminal the app takes over the screen, and the help page, `?`, names
  /// the keys. Where standard output is no terminal, or a dumb one, it writes a log in words instead.
  public struct ConsoleApp<Section: ConsoleSection, Row: ConsoleRow> {
    /// A source whose status stands above the list.
    public struct Source: Sendable {
      /// What it is called.
      public var name: String
      /// What ties it to the list.
      public var binding: SourceBinding

      /// Creates an entry.
      public init(_ name: String, _ binding: SourceBinding) {
        self.name = name
        self.binding = binding
      }
    }

    /// What is shown: its updates, from the beginning each time.
    let updates: @Sendable () -> AsyncStream<ListUpdate<Section, Row>>
    /// Makes the table. Made where the types are known, so that what it does with rows is compiled for these.
    let makeTable: MakeTable
    @usableFromInline typealias MakeTable =
      (_ headers: (any CellProvider<Section>)?, _ height: Int, _ poolCap: Int) -> RetainedTable<Section, Row>
    /// The columns of the rows, and the headings above them.
    @usableFromInline var columns: [ConsoleColumn<Row>] = []
    /// The list as it can be filtered and sorted with keys.
    let arranged: ArrangedList<Section, Row, Section, Row>?

    /// What is watched: the first words on the screen.
    public var title = ""
    /// Keys of the app's own, the most important first.
    public var keys: [KeyCommand<Row.ID>] = []
    /// The sources whose status is shown. A source that fails is seen, and so is its error.
    public var sources: [Source] = []
    /// What stands beside the list. The default is a list alone.
    public var panels: Set<ScreenPanel> = []
    /// What follows when a row is selected, with Enter.
    public var onSelect: (@Sendable (Row) async -> Void)?
    /// What follows when something else happens in the table: its end was reached, for example.
    public var onEvent: (@Sendable (TableEvent<Row>) async -> Void)?
    /// A line below the list, made of the list whenever that has changed; not yet neutralised.
    public var footer: (@Sendable (ListSnapshot<Section, Row>) -> String)?
    /// How many rows can be selected at a time.
    public var selectionMode = SelectionMode.single
    /// Whether the last row stays in view as the list grows.
    public var followsTail = false
    /// Whether rows that come above the first one push it down when it is in view.
    public var showsArrivalsAtTop = true
    /// How many rows above and below the screen are kept ready.
    public var workingRange = 0
    /// The most cells of one kind that wait out of sight.
    public var poolCap = 5
    /// When to use colour.
    public var color = ColorPolicy.auto
    /// Which colours are used, if any; `nil` for those that fit the terminal.
    public var theme: Theme?
    /// The most frames that are drawn in a second.
    public var framesPerSecond = 30
    /// The number of updates after which the app ends; `nil` for no limit.
    public var updateLimit: Int?
    /// The environment that decides about size, colour and theme. The default is that of the process.
    public var environment = ProcessInfo.processInfo.environment

    /// What an app adds that is not for all.
    package var extensions = AppExtensions<Section, Row>()

    /// Creates an app.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - cells: Which cell shows which row. A cell that is no ``ConsoleDrawable`` shows an empty line.
    @inlinable
    public init(_ list: some LiveList<Section, Row>, cells: any CellProvider<Row>) {
      let arranged = list.arranged(by: Arrangement())
      self.init(updates: { arranged.updates() }, arranged: arranged, cells: cells)
    }

    /// Creates an app whose rows stand in columns, by which they can be sorted.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - columns: The columns, from left to right.
    @inlinable
    public init(_ list: some LiveList<Section, Row>, columns: [ConsoleColumn<Row>]) {
      var registry = CellRegistry<Row>()
      registry.registerColumns(columns)
      self.init(list, cells: registry)
      self.columns = columns
    }

    @inlinable
    package init(
      updates: @escaping @Sendable () -> AsyncStream<ListUpdate<Section, Row>>,
      arranged: ArrangedList<Section, Row, Section, Row>? = nil, cells: any CellProvider<Row>
    ) {
      self.init(updates: updates, arranged: arranged) {
        RetainedTable(cells: ErasedCells(cells), headers: $0, height: $1, poolCap: $2)
      }
    }

    @usableFromInline
    init(
      updates: @escaping @Sendable () -> AsyncStream<ListUpdate<Section, Row>>,
      arranged: ArrangedList<Section, Row, Section, Row>?, makeTable: @escaping MakeTable
    ) {
      self.updates = updates
      self.arranged = arranged
      self.makeTable = makeTable
    }

    /// Shows the list until it is finished, a person quits or a signal ends it.
    ///
    /// Signals that the app handles, and the state of the terminal, are the process's own again when this returns or
    /// throws. Writing into a closed pipe is an error from then on, and no signal.
    ///
    /// - Parameter isolation: The actor of the caller, where the app runs.
    /// - Returns: Why it ended.
    /// - Throws: `TableError` if the table refuses an update; another error if the output cannot be written.
    @discardableResult
    public func run(isolation: isolated (any Actor)? = #isolation) async throws -> ConsoleEnding {
      try await AppSession(self).run()
    }
  }

  /// Why a ``ConsoleApp`` ended.
  public enum ConsoleEnding: Hashable, Sendable {
    /// The list is finished, and its last state was shown.
    case finished
    /// As many updates as were asked for were shown.
    case limitReached
    /// A person pressed `q`.
    case quit
    /// The other end of the output is closed.
    case outputClosed
    /// A signal asked for the end.
    case signalled(ConsoleSignal)

    /// The exit code that shells expect of a program that ends so: 0, or 128 and the number of the signal.
    public var exitCode: Int32 {
      if case .signalled(let signal) = self { 128 + signal.number } else { 0 }
    }
  }

  /// What the demo does beyond an app: other outputs, measurements, late results.
  package struct AppExtensions<Section: ConsoleSection, Row: ConsoleRow> {
    /// Where the list is shown; `nil` for the screen or, where there is none, a log.
    package var output: AppOutput<Section, Row>?
    /// Takes what the app writes beside the list: its last words, and what its sources say in a log.
    package var write: ([UInt8]) throws -> Void = { try Platform.write($0, to: Platform.standardOutput) }
    /// The most lines of the table.
    package var rowLimit: Int?
    /// When a pause ends by itself.
    package var pauseDeadline: ContinuousClock.Instant?
    /// How the sources are doing that have no binding of their own.
    package var statuses: AsyncStream<[ScreenStatus.Source]>?
    /// What is loaded for cells while the app runs.
    package var results: AsyncStream<CellResult>?
    /// Goes back to the list before the last update. Returns what there is to say.
    package var undo: (@Sendable () async -> String?)?
    /// Called before the table takes an update, with the list that it shows.
    package var willTake: (@Sendable (ListSnapshot<Section, Row>, ListUpdate<Section, Row>) async -> Void)?
    /// Called when an update has come.
    package var didReceive: (() -> Void)?
    /// Called when the table took a revision.
    package var didTake: (@Sendable (_ revision: Int) async -> Void)?
    /// Called when a revision can be seen.
    package var didShow: (@Sendable (_ revision: Int) async -> Void)?
    /// What became of the events, as far as sources can tell.
    package var flow: (@Sendable () async -> ScreenStatus.Flow)?
    /// What is written last.
    package var lastWords: (@Sendable (AppSummary) async throws -> [UInt8])?

    package init() {}
  }

  /// Where an app shows its list.
  package enum AppOutput<Section: ConsoleSection, Row: ConsoleRow> {
    /// On the screen; keys come from a terminal, if there is one.
    case screen(keys: OpenFile?)
    /// In a sink that writes.
    case sink(any ConsoleSink<Section, Row>)
  }

  /// What an app did.
  package struct AppSummary: Sendable {
    package var revision: Int
    package var updates: Int
    package var rowCount: Int
    package var pool: [String: PoolStatistics]
    package var totals: PoolStatistics
  }

  /// Something that was loaded for a cell, on its way there.
  package struct CellResult: Sendable {
    /// The use of the cell that it was loaded for.
    package let token: ReuseToken
    /// Gives it to the cell, if that use is not over.
    package let deliver: @Sendable (Cell) -> Void
    /// Takes notice of whether it arrived.
    package let settle: @Sendable (Bool) async -> Void

    package init(
      token: ReuseToken, deliver: @escaping @Sendable (Cell) -> Void, settle: @escaping @Sendable (Bool) async -> Void
    ) {
      self.token = token
      self.deliver = deliver
      self.settle = settle
    }
  }
#endif
