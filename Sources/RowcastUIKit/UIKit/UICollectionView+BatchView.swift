#if canImport(UIKit) && !os(watchOS)
  public import Rowcast
  public import UIKit

  /// A `BatchDriver` drives a collection view: `BatchDriver<Channel, Message>(collectionView)`.
  ///
  /// ``reconfigureSections(at:)`` reloads the section, with its items: the view asks its data source for a header in no other
  /// way.
  extension UICollectionView: BatchView {
    /// True if the view is in a window.
    public var isInWindow: Bool { window != nil }

    /// Changes the view in one batch.
    public func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
      performBatchUpdates(updates) { _ in MainActor.assumeIsolated { completion() } }
    }

    /// Deletes sections.
    public func deleteSections(at indexes: [Int]) { deleteSections(IndexSet(indexes)) }
    /// Inserts sections.
    public func insertSections(at indexes: [Int]) { insertSections(IndexSet(indexes)) }
    /// Moves a section with its items.
    public func moveSection(from: Int, to: Int) { moveSection(from, toSection: to) }
    /// Deletes items.
    public func deleteRows(at paths: [RowPath]) { deleteItems(at: paths.map(IndexPath.init)) }
    /// Inserts items.
    public func insertRows(at paths: [RowPath]) { insertItems(at: paths.map(IndexPath.init)) }
    /// Moves an item.
    public func moveRow(from: RowPath, to: RowPath) { moveItem(at: IndexPath(from), to: IndexPath(to)) }
    /// Configures again the cells of items.
    public func reconfigureRows(at paths: [RowPath]) { reconfigureItems(at: paths.map(IndexPath.init)) }
    /// Replaces the cells of items.
    public func replaceRows(at paths: [RowPath]) { reloadItems(at: paths.map(IndexPath.init)) }
    /// Reloads sections.
    public func reconfigureSections(at indexes: [Int]) { reloadSections(IndexSet(indexes)) }
    /// Reloads everything.
    public func reload() { reloadData() }

    /// The items below the top inset.
    public var viewport: BatchViewport<RowPath>? {
      viewport(
        indexPathsForVisibleItems.sorted().compactMap { path in
          layoutAttributesForItem(at: path).map { (RowPath(path), $0.frame) }
        })
    }

    /// Scrolls so that an item begins at a distance below the top inset.
    public func scroll(to row: RowPath, distance: Double) {
      layoutIfNeeded()
      if let item = layoutAttributesForItem(at: IndexPath(row)) { scroll(toLine: item.frame.minY - distance) }
    }

    /// Scrolls to the end.
    public func scrollToEnd() {
      layoutIfNeeded()
      scroll(toLine: lines.upperBound)
    }
  }
#endif
