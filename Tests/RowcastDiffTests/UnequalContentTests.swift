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
    let id: Int
    var name = "a"
    var load: Double? = .nan
    var loads: [Float] = []
    var level = Level.none
    var box: Box?
    var hidden: Hidden?
  }

  private func isTold(_ old: Element, _ new: Element) -> Bool { !Changeset(from: [old], to: [new]).isEmpty }

  @Test func `an element has changed if something in it is another one`() {
    let element = Element(id: 1)
    #expect(!isTold(element, element) && !isTold(element, Element(id: 1)))
    for change: (inout Element) -> Void in [
      { $0.name = "b" }, { $0.load = nil }, { $0.load = 1 }, { $0.loads = [.nan] }, { $0.level = .some(.nan) },
    ] {
      var changed = element
      change(&changed)
      #expect(isTold(element, changed) && isTold(changed, element), "\(changed)")
      #expect(!isTold(changed, changed), "\(changed)")
    }
  }

  @Test func `numbers that are none are found in arrays and cases`() {
    let levels: [Level] = [.some(.nan), .range(.nan, 1), .range(.nan, 2), .range(1, .nan), .some(1)]
    for (index, level) in levels.enumerated() {
      for (other, otherLevel) in levels.enumerated() {
        let (old, new) = (Element(id: 1, level: level), Element(id: 1, level: otherLevel))
        #expect(isTold(old, new) == (index != other), "\(level), \(otherLevel)")
      }
    }
    #expect(!isTold(Element(id: 1, loads: [1, .nan]), Element(id: 1, loads: [1, .nan])))
    #expect(isTold(Element(id: 1, loads: [1, .nan]), Element(id: 1, loads: [2, .nan])))
    #expect(isTold(Element(id: 1, loads: [1, .nan]), Element(id: 1, loads: [.nan])))
  }

  @Test func `an element that cannot be looked into has changed`() {
    #expect(isTold(Element(id: 1, box: Box()), Element(id: 1, box: Box())))
    #expect(isTold(Element(id: 1, hidden: Hidden()), Element(id: 1, hidden: Hidden())))
  }
}
