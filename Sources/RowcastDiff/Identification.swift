/// How the differ reads identity and content from an element: the only questions it asks of a user's type.
///
/// The conforming types have no instances. They tell the generic code, at compile time, what an element is.
@usableFromInline
protocol Identification {
  associatedtype Element
  associatedtype ID: Hashable

  static func id(of element: Element) -> ID

  /// Whether two elements with the same id also have the same content. Asked once for each survivor.
  static func hasSameContent(_ old: Element, _ new: Element) -> Bool
}

/// Elements with an id and content of their own.
@usableFromInline
enum RowIdentification<Element: Identifiable & Equatable>: Identification {
  @inlinable
  @inline(__always)
  static func id(of element: Element) -> Element.ID { element.id }

  @inlinable
  @inline(__always)
  static func hasSameContent(_ old: Element, _ new: Element) -> Bool { old == new }
}

/// Elements that are nothing but ids.
@usableFromInline
enum PlainIdentification<ID: Hashable>: Identification {
  @inlinable
  @inline(__always)
  static func id(of element: ID) -> ID { element }

  @inlinable
  @inline(__always)
  static func hasSameContent(_ old: ID, _ new: ID) -> Bool { true }
}
