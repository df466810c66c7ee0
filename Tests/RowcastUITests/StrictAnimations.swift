/// The completions of a strict view, and when it makes them.
@MainActor
final class StrictAnimations {
  typealias Completion = @MainActor @Sendable () -> Void

  private(set) var running: [Completion] = []
  /// Those that ended with a reload, and whose completions are late.
  private var interrupted: [Completion] = []
  /// How many were begun by the update that is being made.
  private(set) var current = 0

  func begin(_ completion: @escaping Completion) {
    running.append(completion)
    current += 1
  }

  func interrupt() { (interrupted, running) = (interrupted + running, []) }

  /// Lets go of the completions of what animates, of late ones, or of both.
  func take(running takesRunning: Bool = true, interrupted takesInterrupted: Bool = true) -> [Completion] {
    let taken = (takesInterrupted ? interrupted : []) + (takesRunning ? running : [])
    if takesInterrupted { interrupted = [] }
    if takesRunning { (running, current) = ([], 0) }
    return taken
  }

  func endUpdate() { current = 0 }
}

/// A strict view whose animations end when a test says so.
@MainActor
protocol StrictAnimating: AnyObject {
  var animations: StrictAnimations { get }
}

extension StrictAnimating {
  var isAnimating: Bool { !animations.running.isEmpty }

  /// Says that the calls that follow belong to another update.
  func endUpdate() { animations.endUpdate() }

  /// Lets the view come to rest.
  func finishAnimations() { for completion in animations.take() { completion() } }

  /// Lets go of the completions without a call, as a view may that is out of its window.
  func dropAnimations() { _ = animations.take() }

  /// Makes the late completions of animations that a reload ended.
  func finishInterrupted() { for completion in animations.take(running: false) { completion() } }

  /// Lets the view come to rest, and calls each completion once more than is right.
  func finishAnimationsTwice() {
    for completion in animations.take(interrupted: false) {
      completion()
      completion()
    }
  }
}
