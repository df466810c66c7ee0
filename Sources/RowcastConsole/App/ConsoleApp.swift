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
  /// the keys. If standard output is not a terminal, or is a dumb one, it writes a log in words instead.
  public struct ConsoleApp<Section: ConsoleSection, Row: ConsoleRow> {
    /// A source whose status is shown above the list.
    public struct Source: Sendable {
      /// The name of the source.
      package var name: String
      /// Its current status, and each later one.
      package var statuses: AsyncStream<SourceStatus>
      /// A source ends when its binding is released.
      private var binding: SourceBinding?

      /// Creates an entry for a source that a store follows. The app keeps its binding.
      public init(_ name: String, _ binding: SourceBinding) {
        self.init(name, statuses: binding.statuses)
        self.binding = binding
      }

      /// Creates an entry for a source of any kind.
      public init(_ name: String, statuses: AsyncStream<SourceStatus>) {
        self.name = name
        self.statuses = statuses
      }
    }

    /// Makes a stream of the list's updates, from the whole list on.
    let updates: @Sendable () -> AsyncStream<ListUpdate<Section, Row>>
    /// The arrangement of the list, which keys set to filter and sort it.
    let plan: Parameter<Arrangement<Section, Row, Section, Row>>?
    /// The list, to be read together with its unconfirmed rows.
    let list: (any LiveList<Section, Row>)?
    /// The list, if it is filtered and sorted with keys.
    var arranged: (any LiveList<Section, Row>)? { plan == nil ? nil : list }
    private(set) var cells: any CellProvider<Row>
    private(set) var columns: [ConsoleColumn<Row>] = []

    /// The first words on the screen.
    public var title = ""
    /// The app's own commands with their keys, the most important first.
    public var keys: [KeyCommand<Row.ID>] = []
    /// The keys of actions that do not keep their default keys. An action without keys is only in the palette.
    public var actionKeys: [ConsoleAction: [Key]] = [:]
    /// True if the app uses the mouse: the wheel scrolls, a click focuses a row or sorts by a column, a double click selects.
    /// To select text in the terminal itself, a person then holds a key, Shift in most terminals.
    public var usesMouse = true
    /// The sources whose status is shown. A source that fails is shown with its error.
    public var sources: [Source] = []
    /// The panels beside the list. The default is a list alone.
    public var panels: Set<ScreenPanel> = []
    /// Called when a row is selected, with Enter.
    public var onSelect: (@Sendable (Row) async -> Void)?
    /// Called for every event of the table: its end was reached, for example.
    public var onEvent: (@Sendable (TableEvent<Row>) async -> Void)?
    /// Moves a row within its section, because a person pressed Shift and an arrow: in front of the row `next`, or to the end
    /// of the section if that is `nil`. Edit the list: an `OptimisticList` shows the edit at once. The row looks unconfirmed
    /// until this returns. If it throws, the error is shown. The next edit starts as soon as the list has this one.
    public var onMove: (@Sendable (_ row: Row.ID, _ next: Row.ID?, _ section: Section.ID) async throws -> Void)?
    /// Deletes the focused row, because a person pressed Delete, in the same way as ``onMove`` moves it.
    public var onDelete: (@Sendable (Row.ID) async throws -> Void)?
    /// The outline that the rows form; `nil` for a list without levels. With an outline, the app's list has all rows,
    /// expanded or not.
    public var outline: ConsoleOutline<Row>?
    /// The ids of unconfirmed rows, which are marked: `OptimisticList.pending`.
    public var pending: ListValue<Set<Row.ID>>?
    /// Makes the line below the list whenever the shown rows have changed. It takes the rows that pass the app's filter.
    public var footer: (@Sendable (ListSnapshot<Section, Row>) -> String)?
    /// How many rows can be selected at a time.
    public var selectionMode = SelectionMode.single
    /// True if the last row stays in view as the list grows.
    public var followsTail = false
    /// True if rows that are inserted above the first one push it down when it is in view.
    public var showsArrivalsAtTop = true
    /// True if the header of the first section on the screen stays above its rows, on a screen with four lines for the list
    /// or more.
    public var pinsHeaders = true
    /// The number of rows above and below the screen that are kept ready.
    public var workingRange = 0
    /// The maximum number of pooled cells of one kind.
    package var poolCap = 5
    /// When to use colour.
    public var color = ColorPolicy.auto
    /// The colours, if any; `nil` for those that fit the terminal.
    public var theme: Theme?
    /// True if a screen reader, a braille display or a magnifier follows the app. These follow the cursor, so it is shown, at
    /// the focused row or in the typed text, and decoration is not drawn. If `nil`, true when the environment variable
    /// `ACCESSIBLE` is set.
    public var isForScreenReader: Bool?
    /// The maximum number of frames per second.
    public var framesPerSecond = 30
    /// The number of updates after which the app ends; `nil` for no limit.
    public var updateLimit: Int?
    /// The time after which the app ends, paused or not; `nil` for no limit.
    public var timeLimit: Duration?
    /// The maximum number of lines of the list; `nil` for as many as the screen has.
    public var rowLimit: Int?
    /// The environment that decides about size, colour and theme. The default is the environment of the process.
    package var environment = ProcessInfo.processInfo.environment

    // MARK: - The app's own code

    /// True to draw a screen even if output is not a terminal; false to write a log even on a terminal; `nil` to decide by
    /// the output.
    public var usesScreen: Bool?
    /// Shows the list in another way than on a screen or as a log: as JSON, for example.
    public var sink: (any ConsoleSink<Section, Row>)?
    /// Undoes the last edit, because a person pressed `u`. Returns a message to show, if any.
    public var onUndo: (@Sendable () async -> String?)?
    /// Redoes the edit that was undone last, because a person pressed Ctrl-R. Returns a message to show, if any.
    public var onRedo: (@Sendable () async -> String?)?
    /// Messages, each shown until the next key or click.
    public var messages: AsyncStream<String>?
    /// Work for the table.
    package typealias TableWork = @Sendable (RetainedTable<Section, Row>) throws -> Void
    /// Work for the table while the app runs: images for its cells, for example.
    public var tableWork: AsyncStream<@Sendable (RetainedTable<Section, Row>) throws -> Void>?
    /// Called with each update, before the table applies it. The next update is requested after both.
    public var onUpdate: (@Sendable (ListUpdate<Section, Row>) async -> Void)?
    /// Called when a revision of the list can be seen: on the screen, or in the output of the sink.
    public var onFrame: (@Sendable (_ revision: Int) async -> Void)?
    /// Returns the figures of the panel ``ScreenPanel/flow`` that only the app knows. It is called at most twice a second:
    /// after an update, a message or the status of a source, and once more after ``onFrame``.
    public var figures: (@Sendable () async -> FlowFigures)?
    /// Has an element for each event that changes ``figures``, even if it changes nothing else.
    package var figureChanges: AsyncStream<Void>?
    /// Returns words about the whole run. They remain in the terminal below the last rows, or end a log.
    public var lastWords: (@Sendable (ConsoleSummary) async -> String?)?

    /// Called when the table is about to apply an update, after ``onUpdate``. It does not suspend, so that a measurement
    /// begins with the table's work.
    public var willApply: (() -> Void)?
    /// The terminal to draw on, even if standard output is not one.
    package var terminal: (any AppTerminal)?

    /// Creates an app.
    ///
    /// - Parameters:
    ///   - list: The list to show.
    ///   - cells: Chooses the cell for each row. A cell that is not a ``ConsoleDrawable`` shows an empty line.
    @inlinable
    public init(_ list: some LiveList<Section, Row>, cells: any CellProvider<Row>) {
      let plan = Parameter(Arrangement<Section, Row, Section, Row>())
      let shown = list.arrangedToTheEnd(by: plan)
      self.init(updates: { shown.updates() }, arrangement: plan, list: shown, cells: cells)
    }

    /// Creates an app whose rows have columns, by which they can be sorted.
    ///
    /// - Parameters:
    ///   - list: The list to show.
    ///   - columns: The columns, from left to right.
    @inlinable
    public init(_ list: some LiveList<Section, Row>, columns: [ConsoleColumn<Row>]) {
      let plan = Parameter(Arrangement<Section, Row, Section, Row>())
      let shown = list.arrangedToTheEnd(by: plan)
      var registry = CellRegistry<Row>()
      registry.registerColumns(columns)
      self.init(
        updates: { shown.updates() }, arrangement: plan, list: shown, cells: registry, columns: columns)
    }

    /// Creates an app that shows a stream of updates with their own positions, as of a recording, or of a store that others
    /// follow by position.
    ///
    ///     ConsoleApp(updates: { store.updates() }, cells: cells)
    ///
    /// - Parameters:
    ///   - updates: Makes the stream: the whole list first, then its changes. It is called once at the start, and again
    ///     whenever the list continues after a pause or, if it has an arrangement, was arranged after its end.
    ///   - arrangement: The parameter by which `list` is arranged, for an app in which a person filters and sorts. The app
    ///     sets it; a log ends with the list, and finishes it.
    ///   - list: The list of these updates. With ``pending``, a row and its mark appear in one step.
    ///   - cells: Chooses the cell for each row. A cell that is not a ``ConsoleDrawable`` shows an empty line.
    ///   - columns: The columns in which these cells draw, from left to right; none by default.
    public init(
      updates: @escaping @Sendable () -> AsyncStream<ListUpdate<Section, Row>>,
      arrangement: Parameter<Arrangement<Section, Row, Section, Row>>? = nil, list: (any LiveList<Section, Row>)? = nil,
      cells: any CellProvider<Row>, columns: [ConsoleColumn<Row>] = []
    ) {
      self.columns = columns
      self.updates = updates
      self.plan = arrangement
      self.list = list
      self.cells = cells
    }

    /// True if a screen reader follows the app: as ``isForScreenReader`` says, or the environment.
    package var hasScreenReader: Bool {
      isForScreenReader ?? !["", "0", "false", "no"].contains(environment["ACCESSIBLE"]?.lowercased() ?? "")
    }

    /// Adds guides to the rows of an outline; if they have columns, in one of these.
    mutating func showGuides() -> OutlineGuides<Row>? {
      let guides = outline.map { OutlineGuides($0, columns: columns, isPlain: hasScreenReader) }
      if let guides, !columns.isEmpty {
        columns = guides.columns
        cells = CellRegistry.allInColumns(columns)
      }
      return guides
    }

    /// Shows the list until it is finished, a person quits or a signal ends it. A list that is finished while it is paused
    /// stays until the person continues it; while a prompt, a question, the palette or the help is open, until the person
    /// quits. An outline on a screen is finished when both its list and its expansion are.
    ///
    /// Signal actions and the terminal are restored when this returns or throws. From then on, writing into a closed pipe is
    /// an error, not a signal. A list that is written to a sink cannot end while its output is not read: five seconds after a
    /// signal that asks for the end, the former action of that signal runs, which ends the process by default.
    ///
    /// - Parameter isolation: The actor of the caller, where the app runs.
    /// - Returns: Why it ended.
    /// - Throws: ``KeyClash`` if two commands have the same key; `TableError` if the table refuses an update; `FileError` if
    ///   the terminal cannot be used, or the output cannot be written. At top level an error stops the program as a trap
    ///   does: catch it, and print it.
    @discardableResult
    public func run(isolation: isolated (any Actor)? = #isolation) async throws -> ConsoleEnding {
      let ending = try await AppSession(self).run()
      return ending
    }
  }

  /// A summary of what a ``ConsoleApp`` has shown.
  public struct ConsoleSummary: Sendable {
    /// The revision of the list.
    public var revision: Int
    /// The number of rows of the list.
    public var rows: Int
    /// The number of updates, the first list included.
    public var updates: Int
    /// The figures of the cells, by reuse identifier.
    public var cells: [String: PoolStatistics]
  }

  /// Why a ``ConsoleApp`` ended.
  public enum ConsoleEnding: Hashable, Sendable {
    /// The list is finished, and its last state was shown.
    case finished
    /// The limit of updates or of time was reached.
    case limitReached
    /// A person pressed `q`.
    case quit
    /// The other end of the output is closed.
    case outputClosed
    /// The signal with this number requested the end.
    case signalled(Int32)

    /// The exit code that shells expect: 0, or 128 plus the number of the signal.
    public var exitCode: Int32 {
      if case .signalled(let signal) = self { 128 + signal } else { 0 }
    }
  }
#endif
