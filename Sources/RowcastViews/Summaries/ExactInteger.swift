/// The sum of integers of one type, also where that type cannot hold it.
@usableFromInline
struct ExactInteger<Number: FixedWidthInteger & Sendable>: Sendable {
  /// The lowest bits of the sum.
  @usableFromInline var low: Number = 0
  /// How many times the type's whole range is to be added to them.
  @usableFromInline var wraps = 0

  @inlinable
  init() {}

  @inlinable
  mutating func add(_ number: Number) {
    let (sum, isWrapped) = low.addingReportingOverflow(number)
    low = sum
    if isWrapped { wraps += number < 0 ? -1 : 1 }
  }

  @inlinable
  mutating func subtract(_ number: Number) {
    let (difference, isWrapped) = low.subtractingReportingOverflow(number)
    low = difference
    if isWrapped { wraps += number < 0 ? 1 : -1 }
  }

  /// The sum, or the number of the type that is nearest to it.
  @inlinable var clamped: Number { wraps == 0 ? low : wraps > 0 ? .max : .min }
}
