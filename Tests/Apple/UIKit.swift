// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of UIKit that RowcastUIKit and the documentation use, as its Swift interface has them: nothing here runs. They follow
// Apple's documentation: the page of a type is https://developer.apple.com/documentation/uikit/TYPE, in small letters, and that of a
// member is under it, with its name, as in uitableview/reconfigurerows(at:).
//
// What a protocol has as optional is required where ALL_REQUIRED is defined, so that a misspelt method of RowcastUIKit is seen: there
// it would be one more method of the class, and no code would call it.

@_exported import Foundation

// UIKit for watchOS has none of these.
#if !os(watchOS)

  @MainActor open class UIView: NSObject {
    public override init() {}
    open var window: UIWindow? { nil }
    // Of NSObject, by UIKit.
    open var accessibilityLabel: String?
    open var accessibilityValue: String?
    open var bounds: CGRect = .zero
    open func layoutIfNeeded() {}
    open func setNeedsLayout() {}
  }

  public enum UIAccessibility {
    public struct Notification: Sendable { public static let announcement = Notification() }
    @MainActor public static func post(notification: Notification, argument: Any?) {}
  }

  public struct UIEdgeInsets: Sendable {
    public var (top, left, bottom, right): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
  }

  open class UIScrollView: UIView {
    open var contentOffset: CGPoint = .zero
    open var contentSize: CGSize = .zero
    open var adjustedContentInset: UIEdgeInsets { .init() }
  }

  open class UIWindow: UIView {}

  public protocol UIContentConfiguration {}

  public struct UIListContentConfiguration: UIContentConfiguration {
    public static func cell() -> UIListContentConfiguration { .init() }
    public var text: String?
  }

  open class UITableViewCell: UIView {
    public enum EditingStyle: Int, Sendable { case none, delete, insert }

    open var contentConfiguration: (any UIContentConfiguration)?
    open var indentationLevel = 0
    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
  }

  open class UILabel: UIView {
    open var text: String?
  }

  open class UITableViewHeaderFooterView: UIView {
    open var textLabel: UILabel? { nil }
  }

  open class UITableView: UIScrollView {
    public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }

    open var indexPathsForSelectedRows: [IndexPath]? { nil }
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {}
    open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? { nil }

    public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
    public enum RowAnimation: Int, Sendable { case fade, right, left, top, bottom, none, middle, automatic = 100 }

    open weak var dataSource: (any UITableViewDataSource)?
    @available(tvOS, unavailable)
    open weak var dragDelegate: (any UITableViewDragDelegate)? {
      get { nil }
      set {}
    }
    @available(tvOS, unavailable)
    open var dragInteractionEnabled: Bool {
      get { true }
      set {}
    }
    open var indexPathsForVisibleRows: [IndexPath]? { nil }
    open func rectForRow(at indexPath: IndexPath) -> CGRect { .zero }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
    open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
    open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {}
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    open func reconfigureRows(at indexPaths: [IndexPath]) {}
    open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    open func reloadData() {}
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
      UITableViewCell()
    }
  }

  @MainActor public protocol UITableViewDataSource: NSObjectProtocol {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    func numberOfSections(in tableView: UITableView) -> Int
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
    func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)
  }

  #if !ALL_REQUIRED
    extension UITableViewDataSource {
      public func numberOfSections(in tableView: UITableView) -> Int { 1 }
      public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
      public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }
      public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
      public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
      ) {}
      public func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
      ) {}
    }
  #endif

  #if os(Linux)
    // Foundation has it elsewhere.
    open class NSItemProvider: NSObject {}
  #endif

  @available(tvOS, unavailable)
  @MainActor public protocol UIDragSession: NSObjectProtocol {}

  @available(tvOS, unavailable)
  @MainActor open class UIDragItem: NSObject {
    public init(itemProvider: NSItemProvider) {}
  }

  @available(tvOS, unavailable)
  @MainActor public protocol UITableViewDragDelegate: NSObjectProtocol {
    func tableView(
      _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
    ) -> [UIDragItem]
  }

  open class UICollectionReusableView: UIView {}

  open class UICollectionViewCell: UICollectionReusableView {
    open var contentConfiguration: (any UIContentConfiguration)?
  }

  open class UICollectionViewLayoutAttributes: NSObject {
    open var frame: CGRect = .zero
  }

  open class UICollectionView: UIScrollView {
    public struct ScrollPosition: OptionSet, Sendable {
      public let rawValue: UInt
      public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    open var indexPathsForSelectedItems: [IndexPath]? { nil }
    open func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {}
    open func supplementaryView(
      forElementKind elementKind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView? { nil }
    open class var elementKindSectionHeader: String { "" }
    open weak var dataSource: (any UICollectionViewDataSource)?
    open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
    open func register(
      _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String
    ) {}
    open func dequeueReusableSupplementaryView(
      ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionReusableView { UICollectionReusableView() }
    open var indexPathsForVisibleItems: [IndexPath] { [] }
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
    open func insertSections(_ sections: IndexSet) {}
    open func deleteSections(_ sections: IndexSet) {}
    open func reloadSections(_ sections: IndexSet) {}
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    open func insertItems(at indexPaths: [IndexPath]) {}
    open func deleteItems(at indexPaths: [IndexPath]) {}
    open func reloadItems(at indexPaths: [IndexPath]) {}
    open func reconfigureItems(at indexPaths: [IndexPath]) {}
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    open func reloadData() {}
    open func dequeueReusableCell(
      withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell { UICollectionViewCell() }
  }

  @MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    func numberOfSections(in collectionView: UICollectionView) -> Int
    func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView
    func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool
    func collectionView(
      _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)
  }

  #if !ALL_REQUIRED
    extension UICollectionViewDataSource {
      public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
      public func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
      ) -> UICollectionReusableView { UICollectionReusableView() }
      public func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        false
      }
      public func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
      ) {}
    }
  #endif

  open class UISearchBar: UIView {
    open var text: String? { nil }
  }

  @MainActor open class UINavigationItem: NSObject {
    open var prompt: String?
    open var searchController: UISearchController?
  }

  @MainActor public protocol UISearchResultsUpdating: NSObjectProtocol {
    func updateSearchResults(for searchController: UISearchController)
  }

  open class UISearchController: UIViewController {
    public init(searchResultsController: UIViewController?) { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open weak var searchResultsUpdater: (any UISearchResultsUpdating)?
    open var searchBar: UISearchBar { UISearchBar() }
  }

  @available(tvOS, unavailable)
  @MainActor open class UIContextualAction: NSObject {
    public enum Style: Int, Sendable { case normal, destructive }
    public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void
    public init(style: Style, title: String?, handler: @escaping Handler) {}
  }

  @available(tvOS, unavailable)
  @MainActor open class UISwipeActionsConfiguration: NSObject {
    public init(actions: [UIContextualAction]) {}
  }

  @MainActor open class UIViewController: NSObject {
    public override init() {}
    public let navigationItem = UINavigationItem()
    public required init?(coder: NSCoder) {}
    open func viewDidLoad() {}
  }

  open class UITableViewController: UIViewController, UITableViewDataSource {
    public init(style: UITableView.Style) { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    // UIKit declares it implicitly unwrapped; what uses it is the same.
    open var tableView: UITableView = UITableView()
    open func numberOfSections(in tableView: UITableView) -> Int { 0 }
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
    open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      UITableViewCell()
    }
    open func tableView(
      _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {}
    @available(tvOS, unavailable)
    open func tableView(
      _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? { nil }
    open func tableView(_ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath) {}
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }
    open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
    open func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {}
  }

  open class UICollectionViewController: UIViewController {
    // UIKit declares it implicitly unwrapped; what uses it is the same.
    open var collectionView: UICollectionView = UICollectionView()
    open func numberOfSections(in collectionView: UICollectionView) -> Int { 0 }
    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 0 }
    open func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell { UICollectionViewCell() }
  }

  extension IndexPath {
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    public var section: Int { self[0] }
    public var row: Int { self[1] }
    public var item: Int { self[1] }
  }
#endif
