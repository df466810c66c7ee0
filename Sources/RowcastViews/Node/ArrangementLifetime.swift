/// The time during which a list has an arrangement. After it, the operators of the arrangement need not be made any more.
@usableFromInline
struct ArrangementLifetime: Sendable {
  /// The arrangement's slot keeps it alive until there is another arrangement.
  private weak var holder: ArrangementIdentity?

  init(_ holder: ArrangementIdentity) { self.holder = holder }

  /// The lifetime of the arrangement whose operators the task makes; `nil` if they are to be made in any case.
  @TaskLocal private static var current: ArrangementLifetime?

  /// True if the operators that the task makes are not wanted any more. It never becomes false again.
  @usableFromInline static var isOver: Bool { current.map { $0.holder == nil } ?? false }

  /// Makes operators. Returns true if they were wanted to the end; if not, they must not be used.
  @usableFromInline
  static func run(_ lifetime: ArrangementLifetime?, _ body: () -> Void) -> Bool {
    $current.withValue(lifetime) {
      body()
      return !isOver
    }
  }
}
