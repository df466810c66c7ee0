#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif
  public import Rowcast
  package import RowcastUI

  /// What the data sources of this module share: they follow a list, and pass on what people edit.
  ///
  /// Keep a reference to a data source: a view does not retain it.
  @MainActor
  open class ListDataSource<Section: SectionViewModel, Row: RowViewModel>: NSObject {
    let core: DataSourceCore<Section, Row>

    /// The driver of the view.
    public var driver: BatchDriver<Section, Row> { core.driver }
    /// The list that the view shows.
    public var snapshot: ListSnapshot<Section, Row> { core.driver.snapshot }

    /// Deletes rows in their source. People can delete rows if this is set.
    public var onDelete: (@MainActor ([Row.ID]) async throws -> Void)? {
      get { core.onDelete }
      set { core.onDelete = newValue }
    }

    /// Moves rows in their source. People can move rows if this is set. When it returns, the view shows the resulting list:
    /// an order of the list's own, or an error, moves the rows back.
    public var onMove: (@MainActor (RowMove<Section.ID, Row.ID>) async throws -> Void)? {
      get { core.onMove }
      set { core.onMove = newValue }
    }

    /// Called with the errors of ``onDelete`` and ``onMove``.
    public var onFailure: (@MainActor (any Error) -> Void)? {
      get { core.onFailure }
      set { core.onFailure = newValue }
    }

    init(_ driver: BatchDriver<Section, Row>) { core = DataSourceCore(driver) }

    /// Shows a list, until another one is followed or the data source is released.
    ///
    /// - Parameter list: A store, or a list that is made of others.
    public func follow(_ list: some LiveList<Section, Row>) { core.follow(list) }

    /// Deletes rows, for an app's own swipe or menu. An update removes them from the view.
    ///
    /// - Parameter ids: The rows. Paths that an open menu has kept for a while may belong to other rows by now.
    public func delete(_ ids: [Row.ID]) { core.delete(ids) }

    /// Lets people delete and move rows. The edits are made, by the ids of rows, in the store of the rows: the list itself,
    /// or a store that the list is arranged from. See `ListEditor.moveRows(_:)` for the place of a moved row.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - onFailure: Called with the error of an edit that failed.
    public func edits<Origin, Original: RowViewModel>(
      in store: ListStore<Origin, Original>, onFailure: @escaping @MainActor (any Error) -> Void
    ) where Original.ID == Row.ID {
      core.edit(store)
      self.onFailure = onFailure
    }

    /// Lets people delete and move rows of an outline: a list that is arranged with `outlined(parent:)`. The edits are made
    /// in the store that it is arranged from. A row is deleted with all its descendants, and moved with them.
    ///
    /// A dropped row becomes the first child of the row above it if the row below is a child of that row. Otherwise it
    /// becomes a sibling of the row above, or keeps its own parent if that is possible there. A row that is dropped under
    /// itself returns to its place.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - parent: The id of the parent of a row of the store.
    ///   - place: The place of a row in the outline.
    ///   - onFailure: Called with the error of an edit that failed.
    public func edits<Origin, Original: RowViewModel>(
      in store: ListStore<Origin, Original>, parent: any WritableKeyPath<Original, Row.ID?> & Sendable,
      place: @escaping (Row) -> OutlinePlace<Row.ID>, onFailure: @escaping @MainActor (any Error) -> Void
    ) where Original.ID == Row.ID {
      core.edit(store, parent: parent, place: place)
      self.onFailure = onFailure
    }
  }
#endif
