public import RowcastDiff

/// The requirements of a tree on its elements, and of the differ.
@usableFromInline
package protocol TreeKind: Identification, SendableMetatype where Element: Sendable {
  /// The type of a user's value in an element, for messages.
  associatedtype Model

  init()

  /// Tells the ids of this kind from equal ones of another kind in the same node index.
  static var salt: UInt32 { get }

  /// The number of the root of the tree inside an element; 0 for elements without one.
  static func subtree(of element: Element) -> Int32
}

/// Rows: elements without a tree of their own.
@usableFromInline package typealias RowKind = RowIdentification

extension RowKind: TreeKind where Element: RowViewModel {
  @usableFromInline package typealias Model = Element

  @inlinable package static var salt: UInt32 { 0 }

  @inlinable
  package static func subtree(of element: Element) -> Int32 { 0 }
}

/// Sections: models with a tree of rows each. They are identified and compared without their rows.
@usableFromInline
package struct SectionKind<Section: SectionViewModel, Row: RowViewModel>: TreeKind {
  @usableFromInline package typealias Element = SectionEntry<Section, Row>
  @usableFromInline package typealias Model = Section

  @inlinable
  package init() {}

  @inlinable package static var salt: UInt32 { 0x9E37_79B9 }

  @inlinable
  package static func subtree(of element: Element) -> Int32 { element.rows.root.number }

  @inlinable
  package func id(of element: Element) -> Section.ID { element.model.id }

  @inlinable
  package func areEqual(_ old: Element, _ new: Element) -> Bool { old.model == new.model }

  @inlinable
  package func isUnchanged(unequal old: Element, _ new: Element) -> Bool {
    RowcastDiff.isUnchanged(unequal: old.model, new.model)
  }
}

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
