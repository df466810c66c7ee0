/// A view that shows rows without sections and is changed step by step, as `NSTableView` is.
///
/// A ``BatchDriver`` shows a list of sections in it as one row for each section, its header, followed by its rows; or without
/// headers. As in AppKit, the indexes of each operation count in the view after the previous operation.
///
/// The article "Driving UITableView and UICollectionView" has the conformance of `NSTableView`.
@MainActor
public protocol FlatBatchView: AnyObject {
  /// True if the view is in a window. Otherwise it is reloaded instead of animated.
  var isInWindow: Bool { get }

  /// Changes the view in one batch.
  ///
  /// - Parameters:
  ///   - updates: Swaps the data that the view reads, then makes the operations. Called once, before this method returns.
  ///   - completion: Called when the animation has ended; at once without one. Releasing it without a call
  ///     counts as one.
  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void)

  /// Removes rows. In a batch only.
  ///
  /// - Parameter indexes: Indexes before this operation, ascending.
  func removeRows(at indexes: [Int])

  /// Moves a row. In a batch only.
  ///
  /// - Parameters:
  ///   - from: The index before this operation.
  ///   - to: The index after it.
  func moveRow(from: Int, to: Int)

  /// Inserts rows. In a batch only.
  ///
  /// - Parameter indexes: Indexes after this operation, ascending.
  func insertRows(at indexes: [Int])

  /// Configures again the views of some rows. Outside of batches only.
  ///
  /// - Parameter indexes: Indexes in the list that is shown now, ascending. The rows have the kind of view that they had.
  func reconfigureRows(at indexes: [Int])

  /// Replaces the views of some rows, which have another `reuseIdentifier`. Outside of batches only.
  ///
  /// - Parameter indexes: Indexes in the list that is shown now, ascending.
  func replaceRows(at indexes: [Int])

  /// Reloads everything, without animation. Outside of batches only.
  func reload()

  /// The rows on the screen, or `nil` if the driver is not to scroll the view. The default is `nil`.
  var viewport: BatchViewport<Int>? { get }

  /// Scrolls so that a row begins at a distance from the start of the screen, as far as the content reaches, without
  /// animation. Called after each update for which ``viewport`` had an answer, and again until ``viewport`` stays as it is: rows
  /// that appear may have other heights than the view expected. The default does nothing.
  ///
  /// - Parameters:
  ///   - row: An index in the list that is shown now.
  ///   - distance: The distance, in the unit of ``viewport``.
  func scroll(to row: Int, distance: Double)

  /// Scrolls to the end of the content, without animation; called as ``scroll(to:distance:)`` is. The default does nothing.
  func scrollToEnd()
}

extension FlatBatchView {
  /// `nil`: the driver does not scroll the view.
  public var viewport: BatchViewport<Int>? { nil }
  /// Does nothing.
  public func scroll(to row: Int, distance: Double) {}
  /// Does nothing.
  public func scrollToEnd() {}
}
