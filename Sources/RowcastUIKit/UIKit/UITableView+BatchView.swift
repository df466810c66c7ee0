#if canImport(UIKit) && !os(watchOS)
  public import Rowcast
  public import UIKit

  /// A `BatchDriver` drives a table view: `BatchDriver<Channel, Message>(tableView)`.
  ///
  /// ``reconfigureSections(at:)`` reloads the section, with its rows: the view asks its data source for a header in no other way.
  extension UITableView: BatchView {
    /// True if the view is in a window.
    public var isInWindow: Bool { window != nil }

    /// Changes the view in one batch.
    public func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
      performBatchUpdates(updates) { _ in MainActor.assumeIsolated { completion() } }
    }

    /// Deletes sections.
    public func deleteSections(at indexes: [Int]) { deleteSections(IndexSet(indexes), with: .automatic) }
    /// Inserts sections.
    public func insertSections(at indexes: [Int]) { insertSections(IndexSet(indexes), with: .automatic) }
    /// Moves a section with its rows.
    public func moveSection(from: Int, to: Int) { moveSection(from, toSection: to) }
    /// Deletes rows.
    public func deleteRows(at paths: [RowPath]) { deleteRows(at: paths.map(IndexPath.init), with: .automatic) }
    /// Inserts rows.
    public func insertRows(at paths: [RowPath]) { insertRows(at: paths.map(IndexPath.init), with: .automatic) }
    /// Moves a row.
    public func moveRow(from: RowPath, to: RowPath) { moveRow(at: IndexPath(from), to: IndexPath(to)) }
    /// Configures again the cells of rows.
    public func reconfigureRows(at paths: [RowPath]) { reconfigureRows(at: paths.map(IndexPath.init)) }
    /// Replaces the cells of rows.
    public func replaceRows(at paths: [RowPath]) { reloadRows(at: paths.map(IndexPath.init), with: .none) }
    /// Reloads sections.
    public func reconfigureSections(at indexes: [Int]) { reloadSections(IndexSet(indexes), with: .none) }
    /// Reloads everything.
    public func reload() { reloadData() }

    /// The rows below the top inset.
    public var viewport: BatchViewport<RowPath>? {
      viewport((indexPathsForVisibleRows ?? []).map { (RowPath($0), rectForRow(at: $0)) })
    }

    /// Scrolls so that a row begins at a distance below the top inset.
    public func scroll(to row: RowPath, distance: Double) {
      layoutIfNeeded()
      scroll(toLine: rectForRow(at: IndexPath(row)).minY - distance)
    }

    /// Scrolls to the end.
    public func scrollToEnd() {
      layoutIfNeeded()
      scroll(toLine: lines.upperBound)
    }
  }
#endif
