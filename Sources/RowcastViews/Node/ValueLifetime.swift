/// The time during which a parameter has a value. After it, operators that depend on the value need not be made any more.
@usableFromInline
struct ValueLifetime: Sendable {
  /// The parameter keeps it alive until there is another value.
  private weak var holder: Identity?

  init(_ holder: Identity) { self.holder = holder }

  /// The lifetime of the value for which the task makes operators; `nil` if they are to be made in any case.
  @TaskLocal private static var current: ValueLifetime?

  /// True if the operators that the task makes are not wanted any more. It never becomes false again.
  @usableFromInline static var isOver: Bool { current.map { $0.holder == nil } ?? false }

  /// Makes operators. Returns true if they were wanted to the end; if not, they must not be used.
  @usableFromInline
  static func run(_ lifetime: ValueLifetime?, _ body: () -> Void) -> Bool {
    $current.withValue(lifetime) {
      body()
      return !isOver
    }
  }
}
