// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of AppKit that the documentation uses, as its Swift interface has them. Nothing here runs: what the page
// "Driving UITableView and UICollectionView" prints is type-checked against it, where there is no AppKit.

@_exported import Foundation

@MainActor open class NSView: NSObject {
  public override init() {}
  open var window: NSWindow? { nil }
  open var bounds: CGRect = .zero
  open var visibleRect: CGRect { .zero }
  open func scroll(_ point: NSPoint) {}
}

public typealias NSPoint = CGPoint
public typealias NSRect = CGRect

@MainActor open class NSWindow: NSObject {}

open class NSTextField: NSView {
  public convenience init(labelWithString stringValue: String) { self.init() }
}

@MainActor open class NSTableColumn: NSObject {}

@MainActor public protocol NSTableViewDataSource: NSObjectProtocol {
  func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor public protocol NSTableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool
  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
}

open class NSTableView: NSView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let slideUp = AnimationOptions(rawValue: 16)
    public static let slideDown = AnimationOptions(rawValue: 32)
  }

  open weak var dataSource: (any NSTableViewDataSource)?
  open weak var delegate: (any NSTableViewDelegate)?
  open var numberOfColumns: Int { 0 }
  open var numberOfRows: Int { 0 }
  open func rows(in rect: NSRect) -> NSRange { NSRange() }
  open func rect(ofRow row: Int) -> NSRect { .zero }
  open func scrollRowToVisible(_ row: Int) {}
  open func beginUpdates() {}
  open func endUpdates() {}
  open func insertRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {}
  open func removeRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {}
  open func moveRow(at oldIndex: Int, to newIndex: Int) {}
  open func reloadData() {}
  open func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {}
}

@MainActor open class NSAnimationContext: NSObject {
  open class func runAnimationGroup(
    _ changes: (NSAnimationContext) -> Void, completionHandler: (@Sendable () -> Void)? = nil
  ) {}
}
