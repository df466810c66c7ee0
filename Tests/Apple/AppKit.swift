// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of AppKit that RowcastUIKit and the documentation use, as its Swift interface has them: nothing here runs. They follow
// Apple's documentation: the page of a type is https://developer.apple.com/documentation/appkit/TYPE, in small letters, and that of a
// member is under it, with its name, as in nstableview/moverow(at:to:).
//
// What a protocol has as optional is required where ALL_REQUIRED is defined, so that a misspelt method of RowcastUIKit is seen: there
// it would be one more method of the class, and no code would call it.

@_exported import Foundation

@MainActor open class NSView: NSObject {
  public override init() {}
  open var window: NSWindow? { nil }
  open var bounds: CGRect = .zero
  open var visibleRect: CGRect { .zero }
  open func scroll(_ point: NSPoint) {}
  open func layoutSubtreeIfNeeded() {}
  open var identifier: NSUserInterfaceItemIdentifier?
  open func registerForDraggedTypes(_ newTypes: [NSPasteboard.PasteboardType]) {}
}

public struct NSUserInterfaceItemIdentifier: Hashable, Sendable {
  public let rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

@MainActor open class NSPasteboard: NSObject {
  public struct PasteboardType: Hashable, Sendable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
}

public protocol NSPasteboardWriting: NSObjectProtocol {}

open class NSPasteboardItem: NSObject, NSPasteboardWriting {
  @discardableResult
  open func setString(_ string: String, forType type: NSPasteboard.PasteboardType) -> Bool { true }
}

public struct NSDragOperation: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let move = NSDragOperation(rawValue: 16)
}

@MainActor open class NSDraggingSession: NSObject {}

@MainActor public protocol NSDraggingInfo: NSObjectProtocol {
  var draggingSource: Any? { get }
}

public typealias NSPoint = CGPoint
public typealias NSRect = CGRect

@MainActor open class NSWindow: NSObject {}

open class NSTextField: NSView {
  public convenience init(labelWithString stringValue: String) { self.init() }
  open var stringValue = ""
}

@MainActor open class NSTableColumn: NSObject {}

@MainActor public protocol NSTableViewDataSource: NSObjectProtocol {
  func numberOfRows(in tableView: NSTableView) -> Int
  func tableView(_ tableView: NSTableView, pasteboardWriterForRow row: Int) -> (any NSPasteboardWriting)?
  func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
    forRowIndexes rowIndexes: IndexSet)
  func tableView(
    _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
    proposedDropOperation dropOperation: NSTableView.DropOperation
  ) -> NSDragOperation
  func tableView(
    _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int, dropOperation: NSTableView.DropOperation
  ) -> Bool
}

#if !ALL_REQUIRED
  extension NSTableViewDataSource {
    public func tableView(_ tableView: NSTableView, pasteboardWriterForRow row: Int) -> (any NSPasteboardWriting)? {
      nil
    }
    public func tableView(
      _ tableView: NSTableView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
      forRowIndexes rowIndexes: IndexSet
    ) {}
    public func tableView(
      _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
      proposedDropOperation dropOperation: NSTableView.DropOperation
    ) -> NSDragOperation { [] }
    public func tableView(
      _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int, dropOperation: NSTableView.DropOperation
    ) -> Bool { false }
  }
#endif

@MainActor public protocol NSTableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool
  func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool
  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
}

#if !ALL_REQUIRED
  extension NSTableViewDelegate {
    public func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool { true }
  }
#endif

open class NSTableView: NSView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let slideUp = AnimationOptions(rawValue: 16)
    public static let slideDown = AnimationOptions(rawValue: 32)
  }

  public enum DropOperation: UInt, Sendable { case on, above }

  open func makeView(withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?) -> NSView? { nil }
  open weak var dataSource: (any NSTableViewDataSource)?
  open weak var delegate: (any NSTableViewDelegate)?
  open var numberOfColumns: Int { 0 }
  open var numberOfRows: Int { 0 }
  open func rows(in rect: NSRect) -> NSRange { NSRange() }
  open func rect(ofRow row: Int) -> NSRect { .zero }
  open func scrollRowToVisible(_ row: Int) {}
  open var selectedRowIndexes: IndexSet { IndexSet([Int]()) }
  open func selectRowIndexes(_ indexes: IndexSet, byExtendingSelection extend: Bool) {}
  open func setDropRow(_ row: Int, dropOperation: DropOperation) {}
  open func noteHeightOfRows(withIndexesChanged indexSet: IndexSet) {}
  open func beginUpdates() {}
  open func endUpdates() {}
  open func insertRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {}
  open func removeRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {}
  open func moveRow(at oldIndex: Int, to newIndex: Int) {}
  open func reloadData() {}
  open func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {}
}

@MainActor public protocol NSOutlineViewDataSource: NSObjectProtocol {
  func outlineView(_ outlineView: NSOutlineView, numberOfChildrenOfItem item: Any?) -> Int
  func outlineView(_ outlineView: NSOutlineView, child index: Int, ofItem item: Any?) -> Any
  func outlineView(_ outlineView: NSOutlineView, isItemExpandable item: Any) -> Bool
}

@MainActor public protocol NSOutlineViewDelegate: NSObjectProtocol {
  func outlineView(_ outlineView: NSOutlineView, shouldExpandItem item: Any) -> Bool
  func outlineView(_ outlineView: NSOutlineView, shouldCollapseItem item: Any) -> Bool
  func outlineView(_ outlineView: NSOutlineView, viewFor tableColumn: NSTableColumn?, item: Any) -> NSView?
}

// AppKit has it as a table view, whose data source is of another type: that is possible in Objective-C alone.
open class NSOutlineView: NSView {
  open weak var dataSource: (any NSOutlineViewDataSource)?
  open weak var delegate: (any NSOutlineViewDelegate)?
  open func beginUpdates() {}
  open func endUpdates() {}
  open func item(atRow row: Int) -> Any? { nil }
  open func expandItem(_ item: Any?) {}
  open func collapseItem(_ item: Any?) {}
  open func reloadItem(_ item: Any?) {}
  open func reloadData() {}
  open func insertItems(
    at indexes: IndexSet, inParent parent: Any?, withAnimation animationOptions: NSTableView.AnimationOptions = []
  ) {}
  open func removeItems(
    at indexes: IndexSet, inParent parent: Any?, withAnimation animationOptions: NSTableView.AnimationOptions = []
  ) {}
}

@MainActor open class NSAnimationContext: NSObject {
  open var duration: TimeInterval = 0
  open class func runAnimationGroup(
    _ changes: (NSAnimationContext) -> Void, completionHandler: (@Sendable () -> Void)? = nil
  ) {}
}
