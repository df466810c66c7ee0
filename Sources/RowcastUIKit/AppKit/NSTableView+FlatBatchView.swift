#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Rowcast

  /// A `BatchDriver` drives a table view: `BatchDriver<Channel, Message>(flat: tableView, hasHeaders: true)`.
  extension NSTableView: FlatBatchView {
    /// True if the view is in a window.
    public var isInWindow: Bool { window != nil }

    /// Changes the view in one batch.
    public func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
      NSAnimationContext.runAnimationGroup { _ in
        beginUpdates()
        updates()
        endUpdates()
      } completionHandler: {
        MainActor.assumeIsolated { completion() }
      }
    }

    /// Removes rows.
    public func removeRows(at indexes: [Int]) { removeRows(at: IndexSet(indexes), withAnimation: .slideUp) }
    /// Inserts rows.
    public func insertRows(at indexes: [Int]) { insertRows(at: IndexSet(indexes), withAnimation: .slideDown) }
    /// Moves a row.
    public func moveRow(from: Int, to: Int) { moveRow(at: from, to: to) }
    /// Reloads everything.
    public func reload() { reloadData() }

    /// The rows of the visible rectangle.
    public var viewport: BatchViewport<Int>? {
      let (screen, shown) = (visibleRect, rows(in: visibleRect))
      return BatchViewport(
        rows: (shown.location..<shown.location + shown.length).map { ($0, rect(ofRow: $0).minY - screen.minY) },
        isAtStart: screen.minY <= 0, isAtEnd: screen.maxY >= bounds.maxY - 1)
    }

    /// Scrolls so that a row begins at a distance below the start of the visible rectangle.
    public func scroll(to row: Int, distance: Double) {
      scroll(CGPoint(x: visibleRect.minX, y: rect(ofRow: row).minY - distance))
      layoutSubtreeIfNeeded()
    }

    /// Scrolls to the last row.
    public func scrollToEnd() {
      scrollRowToVisible(numberOfRows - 1)
      layoutSubtreeIfNeeded()
    }

    /// Configures again the views of rows.
    public func reconfigureRows(at indexes: [Int]) {
      let rows = IndexSet(indexes)
      reloadData(forRowIndexes: rows, columnIndexes: IndexSet(integersIn: 0..<numberOfColumns))
      // The view asks for heights separately, and would animate changed ones.
      NSAnimationContext.runAnimationGroup { context in
        context.duration = 0
        noteHeightOfRows(withIndexesChanged: rows)
      }
    }

    /// Replaces the views of rows: AppKit asks for the view of each of them, which may be another one.
    public func replaceRows(at indexes: [Int]) { reconfigureRows(at: indexes) }
  }
#endif
