/// How the differ reads identity and content from an element: the only code of a user's type that it calls.
@usableFromInline
package protocol Identification {
  associatedtype Element
  associatedtype ID: Hashable

  func id(of element: Element) -> ID

  /// Returns `true` if two elements with the same id also have the same content. Called once for each survivor.
  func hasSameContent(_ old: Element, _ new: Element) -> Bool
}

/// Elements with an id and content of their own.
@usableFromInline
package struct RowIdentification<Element: Identifiable & Equatable>: Identification {
  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package func id(of element: Element) -> Element.ID { element.id }

  @inlinable
  @inline(__always)
  package func hasSameContent(_ old: Element, _ new: Element) -> Bool { old == new || showSame(old, new) }
}

/// Elements with an id, whose content a function compares.
@usableFromInline
struct ComparedIdentification<Element: Identifiable>: Identification {
  @usableFromInline let areEqual: (Element, Element) -> Bool

  @inlinable
  init(_ areEqual: @escaping (Element, Element) -> Bool) { self.areEqual = areEqual }

  @inlinable
  @inline(__always)
  func id(of element: Element) -> Element.ID { element.id }

  @inlinable
  @inline(__always)
  func hasSameContent(_ old: Element, _ new: Element) -> Bool { areEqual(old, new) }
}

/// Elements that are nothing but ids.
@usableFromInline
struct PlainIdentification<ID: Hashable>: Identification {
  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  func id(of element: ID) -> ID { element }

  @inlinable
  @inline(__always)
  func hasSameContent(_ old: ID, _ new: ID) -> Bool { true }
}
