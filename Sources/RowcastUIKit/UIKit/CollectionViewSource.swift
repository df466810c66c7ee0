#if canImport(UIKit) && !os(watchOS)
  public import Rowcast
  public import UIKit

  /// Shows a list in a collection view: its data source.
  ///
  /// It is used as ``TableViewSource``. Rows are moved as the view's controller lets people move items. A layout of lists asks
  /// for headers with `headerMode = .supplementary`.
  ///
  /// The class may be subclassed to answer more of `UICollectionViewDataSource`.
  open class CollectionViewSource<Section: SectionViewModel, Row: RowViewModel>: ListDataSource<Section, Row>,
    UICollectionViewDataSource
  {
    private weak var collectionView: UICollectionView?
    private var configurations: [String: (UICollectionViewCell, Row) -> Void] = [:]
    private var headers: ((UICollectionReusableView, Section) -> Void)?

    /// Creates the data source of a collection view, and sets it.
    ///
    /// - Parameters:
    ///   - collectionView: The view. It is not retained.
    ///   - snapshot: The list that the view shows first.
    public init(_ collectionView: UICollectionView, showing snapshot: ListSnapshot<Section, Row> = .init()) {
      self.collectionView = collectionView
      super.init(BatchDriver(collectionView, showing: snapshot))
      collectionView.dataSource = self
      core.keepSelection { [weak collectionView] in
        (collectionView?.indexPathsForSelectedItems ?? []).map(RowPath.init)
      } select: { [weak collectionView] paths in
        for path in paths { collectionView?.selectItem(at: IndexPath(path), animated: false, scrollPosition: []) }
      }
      driver.configureHeader = { [weak self] index, _, section in
        self?.configureHeader(at: index, of: section)
        return true
      }
    }

    /// Registers a class of cells.
    ///
    /// - Parameters:
    ///   - cell: The class.
    ///   - reuseIdentifier: The identifier of the rows that have such cells; `nil` for all rows without cells of their own.
    ///   - configure: Shows a row in a cell, which may have shown another one.
    public func register<Cell: UICollectionViewCell>(
      _ cell: Cell.Type, for reuseIdentifier: String? = nil, configure: @escaping (Cell, Row) -> Void
    ) {
      let identifier = reuseIdentifier ?? Self.anyRow
      collectionView?.register(cell, forCellWithReuseIdentifier: identifier)
      configurations[identifier] = { view, row in (view as? Cell).map { configure($0, row) } }
    }

    /// Registers the class of the headers of sections.
    ///
    /// - Parameters:
    ///   - header: The class.
    ///   - configure: Shows a section in a header, which may have shown another one.
    public func registerHeader<Header: UICollectionReusableView>(
      _ header: Header.Type, configure: @escaping (Header, Section) -> Void
    ) {
      collectionView?.register(
        header, forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader, withReuseIdentifier: Self.anyRow)
      headers = { view, section in (view as? Header).map { configure($0, section) } }
    }

    /// A visible header is configured in place, and others when they appear: a reload of the section would interrupt what a
    /// person does there.
    private func configureHeader(at index: Int, of section: Section) {
      let view = collectionView?.supplementaryView(
        forElementKind: UICollectionView.elementKindSectionHeader, at: IndexPath(item: 0, section: index))
      if let view { headers?(view, section) }
    }

    private static var anyRow: String { "rowcast.any" }

    /// The row at an index path of the view.
    ///
    /// - Precondition: The list that the view shows has the row.
    public func row(at path: IndexPath) -> Row { snapshot.row(at: RowPath(path)) }

    /// The number of sections.
    open func numberOfSections(in collectionView: UICollectionView) -> Int { snapshot.sectionCount }

    /// The number of items of a section.
    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      snapshot.rowCount(inSection: section)
    }

    /// The cell of a row. If none is registered for it, the cell is empty.
    open func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      let row = row(at: indexPath)
      let identifier = configurations[row.reuseIdentifier] == nil ? Self.anyRow : row.reuseIdentifier
      guard let configure = configurations[identifier] else {
        assertionFailure("No cell is registered for \(row.reuseIdentifier)")
        // The view accepts only cells that it has made itself.
        collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "rowcast.none")
        return collectionView.dequeueReusableCell(withReuseIdentifier: "rowcast.none", for: indexPath)
      }
      let cell = collectionView.dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
      configure(cell, row)
      return cell
    }

    /// The header of a section. Views of other kinds are empty: a subclass provides them.
    open func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
      let header = kind == UICollectionView.elementKindSectionHeader ? headers : nil
      if header == nil {
        collectionView.register(
          UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: "rowcast.none")
      }
      let view = collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: header == nil ? "rowcast.none" : Self.anyRow, for: indexPath)
      header?(view, snapshot.section(at: indexPath.section))
      return view
    }

    /// True if people can move rows.
    open func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
      onMove != nil
    }

    /// Takes over a move that the view has performed.
    open func collectionView(
      _ collectionView: UICollectionView, moveItemAt source: IndexPath, to destination: IndexPath
    ) {
      core.viewDidMove(from: RowPath(source), to: RowPath(destination))
    }

    /// Deletes rows, for an app's own swipe or menu. An update removes them from the view.
    public func delete(at paths: [IndexPath]) { core.delete(paths.map { row(at: $0).id }) }
  }
#endif
