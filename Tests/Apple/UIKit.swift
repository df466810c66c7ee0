// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of UIKit that the documentation uses, as its Swift interface has them. Nothing here runs: what the page
// "Driving UITableView and UICollectionView" prints is type-checked against it, where there is no UIKit.

@_exported import Foundation

@MainActor open class UIView: NSObject {
  public override init() {}
  open var window: UIWindow? { nil }
  open var bounds: CGRect = .zero
  open func layoutIfNeeded() {}
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
  open var contentConfiguration: (any UIContentConfiguration)?
  open var indentationLevel = 0
  open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}

open class UITableView: UIScrollView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
  public enum RowAnimation: Int, Sendable { case fade, right, left, top, bottom, none, middle, automatic = 100 }

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

open class UICollectionViewCell: UIView {
  open var contentConfiguration: (any UIContentConfiguration)?
}

open class UICollectionViewLayoutAttributes: NSObject {
  open var frame: CGRect = .zero
}

open class UICollectionView: UIScrollView {
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

@MainActor open class UIContextualAction: NSObject {
  public enum Style: Int, Sendable { case normal, destructive }
  public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void
  public init(style: Style, title: String?, handler: @escaping Handler) {}
}

@MainActor open class UISwipeActionsConfiguration: NSObject {
  public init(actions: [UIContextualAction]) {}
}

@MainActor open class UIViewController: NSObject {
  public override init() {}
  public let navigationItem = UINavigationItem()
  public required init?(coder: NSCoder) {}
  open func viewDidLoad() {}
}

open class UITableViewController: UIViewController {
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
  open func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { nil }
  open func tableView(_ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath) {}
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
