/// How the differ reads identity and content from an element: the only code of a user's type that it calls.
@usableFromInline
package protocol Identification {
  associatedtype Element
  associatedtype ID: Hashable

  func id(of element: Element) -> ID

  /// Returns `true` if two elements with the same id are equal. Called once for each survivor.
  func areEqual(_ old: Element, _ new: Element) -> Bool

  /// Returns `true` if two unequal elements have the same content nevertheless, as those with a NaN can.
  func isUnchanged(unequal old: Element, _ new: Element) -> Bool
}

extension Identification {
  @inlinable
  @inline(__always)
  package func isUnchanged(unequal old: Element, _ new: Element) -> Bool { false }

  @inlinable
  @inline(__always)
  func isUnchanged(_ old: Element, _ new: Element) -> Bool { areEqual(old, new) || isUnchanged(unequal: old, new) }
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
  package func areEqual(_ old: Element, _ new: Element) -> Bool { old == new }

  @inlinable
  package func isUnchanged(unequal old: Element, _ new: Element) -> Bool { RowcastDiff.isUnchanged(unequal: old, new) }
}

/// Elements with an id, whose content a function compares.
@usableFromInline
struct ComparedIdentification<Element: Identifiable>: Identification {
  @usableFromInline let comparison: (Element, Element) -> Bool

  @inlinable
  init(_ comparison: @escaping (Element, Element) -> Bool) { self.comparison = comparison }

  @inlinable
  @inline(__always)
  func id(of element: Element) -> Element.ID { element.id }

  @inlinable
  @inline(__always)
  func areEqual(_ old: Element, _ new: Element) -> Bool { comparison(old, new) }
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
  func areEqual(_ old: ID, _ new: ID) -> Bool { true }
}
