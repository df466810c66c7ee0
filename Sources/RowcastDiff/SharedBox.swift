/// A value in one place, for several owners; also a value that cannot be copied, such as an atomic one.
@usableFromInline
package final class SharedBox<Value: Sendable & ~Copyable>: Sendable {
  @usableFromInline package let value: Value

  package init(_ value: consuming Value) { self.value = value }
}
