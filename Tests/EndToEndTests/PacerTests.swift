import TestSupport
import Testing

@testable import demo

@Suite struct PacerTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an output that is slower than the events waits for more of them, and no other does`() async {
    let pauses = CallCount()
    let pacer = Pacer(lockstep: false) { pauses.note(()) }
    for revision in 0...3 { await pacer.deliver(revision) }
    #expect(pauses.value == 0, "each update has one event")
    await pacer.deliver(7)
    #expect(pauses.value == 1)
    await pacer.deliver(8)
    #expect(pauses.value == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `in lockstep nothing is waited for but the update`() async {
    let pauses = CallCount()
    let pacer = Pacer(lockstep: true) { pauses.note(()) }
    // Two sources may have edited the list before one update.
    for revision in [2, 5] { await pacer.deliver(revision) }
    #expect(pauses.value == 0)
  }
}
