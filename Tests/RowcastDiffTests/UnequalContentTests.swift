import RowcastDiff
import RowcastTestSupport
import Testing

/// Elements that are not equal to themselves.
@Suite struct UnequalContentTests {
  enum Level: Equatable {
    case none
    case some(Double)
    case range(Double, Double)
  }

  final class Box: Equatable, Sendable {
    let value = Double.nan
    static func == (lhs: Box, rhs: Box) -> Bool { lhs.value == rhs.value }
  }

  /// Shows less than it has.
  struct Hidden: Equatable, CustomReflectable {
    var value = Double.nan
    var name = "a"
    var customMirror: Mirror { Mirror(self, children: ["value": value]) }
  }

  struct Element: Identifiable, Equatable {
    var id = 1
    var name = "a"
    var load: Double? = .nan
    var loads: [Float] = []
    var level = Level.none
    var box: Box?
    var hidden: Hidden?
  }

  private func isTold(_ old: Element, _ new: Element) -> Bool { !Changeset(from: [old], to: [new]).isEmpty }

  @Test func `an element has changed if something in it is another one, and not if nothing is`() {
    func elements() -> [Element] {
      [
        Element(), Element(name: "b"), Element(load: nil), Element(load: 1),
        Element(loads: [.nan]), Element(loads: [1, .nan]), Element(loads: [2, .nan]),
      ]
        + [Level.some(.nan), .some(1), .range(.nan, 1), .range(.nan, 2), .range(1, .nan)].map { Element(level: $0) }
    }
    for (index, old) in elements().enumerated() {
      for (other, new) in elements().enumerated() {
        #expect(isTold(old, new) == (index != other), "\(old), \(new)")
      }
    }
  }

  @Test func `an element that cannot be looked into has changed`() {
    #expect(isTold(Element(box: Box()), Element(box: Box())))
    #expect(isTold(Element(hidden: Hidden()), Element(hidden: Hidden())))
  }
}
