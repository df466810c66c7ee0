public import RowcastDiff

/// A view that shows sections of rows and is changed in batches, as `UITableView` and `UICollectionView` are.
///
/// The operations of a batch have their meaning from there, in any order: deletions and the sources of moves are indexes
/// *before* the batch, insertions and the destinations of moves are indexes *after* it. A ``BatchDriver`` makes the calls;
/// the methods need no checks of their own.
///
/// The article "Driving UITableView and UICollectionView" has the conformances of both.
@MainActor
public protocol BatchView: AnyObject {
  /// True if the view is in a window. Otherwise it is reloaded instead of animated.
  var isInWindow: Bool { get }

  /// Changes the view in one batch.
  ///
  /// - Parameters:
  ///   - updates: Swaps the data that the view reads, then makes the operations. Called once, before this method returns.
  ///   - completion: Called when the animation has ended; at once without one. Releasing it without a call
  ///     counts as one.
  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void)

  /// Deletes sections, with their rows. In a batch only.
  ///
  /// - Parameter indexes: Indexes before the batch, ascending.
  func deleteSections(at indexes: [Int])

  /// Inserts sections, with their rows. In a batch only.
  ///
  /// - Parameter indexes: Indexes after the batch, ascending.
  func insertSections(at indexes: [Int])

  /// Moves a section with its rows. In a batch only.
  ///
  /// - Parameters:
  ///   - from: The index before the batch.
  ///   - to: The index after it.
  func moveSection(from: Int, to: Int)

  /// Deletes rows. In a batch only.
  ///
  /// - Parameter paths: Paths before the batch, ascending.
  func deleteRows(at paths: [RowPath])

  /// Inserts rows. In a batch only.
  ///
  /// - Parameter paths: Paths after the batch, ascending.
  func insertRows(at paths: [RowPath])

  /// Moves a row. In a batch only.
  ///
  /// - Parameters:
  ///   - from: The path before the batch.
  ///   - to: The path after it.
  func moveRow(from: RowPath, to: RowPath)

  /// Configures again the cells that show some rows, without replacing them. Outside of batches only.
  ///
  /// - Parameter paths: Paths in the list that is shown now, ascending. The rows have the kind of cell that they had.
  func reconfigureRows(at paths: [RowPath])

  /// Replaces the cells that show some rows, which have another `reuseIdentifier`. Outside of batches only.
  ///
  /// - Parameter paths: Paths in the list that is shown now, ascending.
  func replaceRows(at paths: [RowPath])

  /// Configures again the headers and footers of some sections. Outside of batches only.
  ///
  /// - Parameter indexes: Indexes in the list that is shown now, ascending.
  func reconfigureSections(at indexes: [Int])

  /// Reloads everything, without animation. Outside of batches only.
  func reload()

  /// The rows on the screen, or `nil` if the driver is not to scroll the view. The default is `nil`.
  var viewport: BatchViewport<RowPath>? { get }

  /// Scrolls so that a row begins at a distance from the start of the screen, as far as the content reaches, without
  /// animation. Called after each update for which ``viewport`` had an answer, and again until ``viewport`` stays as it is: rows
  /// that appear may have other heights than the view expected. The default does nothing.
  ///
  /// - Parameters:
  ///   - row: A path in the list that is shown now.
  ///   - distance: The distance, in the unit of ``viewport``.
  func scroll(to row: RowPath, distance: Double)

  /// Scrolls to the end of the content, without animation; called as ``scroll(to:distance:)`` is. The default does nothing.
  func scrollToEnd()
}

extension BatchView {
  /// `nil`: the driver does not scroll the view.
  public var viewport: BatchViewport<RowPath>? { nil }
  /// Does nothing.
  public func scroll(to row: RowPath, distance: Double) {}
  /// Does nothing.
  public func scrollToEnd() {}
}

/// The rows that a view has on its screen.
public struct BatchViewport<Index: Sendable>: Sendable {
  /// The rows that are at least partly on the screen, from the first. `distance` is from the start of the screen to the start
  /// of the row, in any unit: negative for a row that begins above.
  public var rows: [(index: Index, distance: Double)]
  /// True if nothing of the content is above the screen.
  public var isAtStart: Bool
  /// True if nothing of the content is below the screen.
  public var isAtEnd: Bool

  /// Creates a viewport.
  public init(rows: [(index: Index, distance: Double)], isAtStart: Bool, isAtEnd: Bool) {
    (self.rows, self.isAtStart, self.isAtEnd) = (rows, isAtStart, isAtEnd)
  }
}
