/// What a tree requires of its elements.
///
/// The conforming types have no instances. They tell the generic code, at compile time, what an element is.
@usableFromInline
package protocol TreeKind: SendableMetatype {
  associatedtype Element: Sendable
  associatedtype ID: Hashable
  /// The type of row or section that users know.
  associatedtype Model

  static func id(of element: Element) -> ID

  /// What tells the ids of this kind from equal ones of another kind in the same node index.
  static var salt: UInt32 { get }

  /// The number of the root of the tree inside an element; 0 for elements without one.
  static func subtree(of element: Element) -> Int32
}

/// Rows: elements that are leaves of the whole.
@usableFromInline
package enum RowKind<Row: Identifiable & Sendable>: TreeKind {
  @usableFromInline package typealias Model = Row

  @inlinable
  @inline(__always)
  package static func id(of element: Row) -> Row.ID { element.id }

  @inlinable package static var salt: UInt32 { 0 }

  @inlinable
  @inline(__always)
  package static func subtree(of element: Row) -> Int32 { 0 }
}

/// Sections: elements that are models with a tree of rows each.
@usableFromInline
package enum SectionKind<Section: SectionViewModel, Row: RowViewModel>: TreeKind {
  @usableFromInline package typealias Element = SectionEntry<Section, Row>
  @usableFromInline package typealias Model = Section

  @inlinable
  @inline(__always)
  package static func id(of element: Element) -> Section.ID { element.model.id }

  @inlinable package static var salt: UInt32 { 0x9E37_79B9 }

  @inlinable
  @inline(__always)
  package static func subtree(of element: Element) -> Int32 { element.rows.root.number }
}

/// A section of a snapshot: its model, and its rows in a tree.
@usableFromInline
@frozen
package struct SectionEntry<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package var model: Section
  @usableFromInline package var rows: Tree<RowKind<Row>>

  @inlinable
  init(_ model: Section, rows: Tree<RowKind<Row>>) {
    self.model = model
    self.rows = rows
  }
}
