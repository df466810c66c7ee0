/// The time in which a list has an arrangement. Making operators of an arrangement that is not wanted any more may end early.
@usableFromInline
struct Tenure: Sendable {
  /// The arrangement's place. It goes when there is another one.
  final class Holder: Sendable {}

  private weak var holder: Holder?

  init(_ holder: Holder) { self.holder = holder }

  /// That of the arrangement whose operators the task makes; none if these are to be made in any case.
  @TaskLocal private static var current: Tenure?

  /// Whether what the task makes is not wanted any more. Once it is so it remains so.
  @usableFromInline static var isOver: Bool { current.map { $0.holder == nil } ?? false }

  /// Makes operators, as long as they are wanted. Returns whether they were wanted to the end; if not, nothing is to be used of them.
  @usableFromInline
  static func run(_ tenure: Tenure?, _ body: () -> Void) -> Bool {
    $current.withValue(tenure) {
      body()
      return !isOver
    }
  }
}
