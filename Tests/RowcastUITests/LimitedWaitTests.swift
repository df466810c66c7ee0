import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastUI

/// Views that keep their completions and never call them, whoever waits for them.
@MainActor
@Suite(.watched) struct LimitedWaitTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list that came from inside a batch is shown after a while`() async throws {
    let (clock, last) = (ManualClock(), try TestSnapshot.of(("a", [2])))
    var driven = DrivenView(try .of(("a", [1])))
    let driver = driven.driver
    driver.clock = clock
    driven.view.duringBatch = { driver.apply(last) }
    driven.update(to: try .of(("a", [1, 2])))
    #expect(!driver.isSettled)
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(5))
    await soon { driver.isSettled }
    #expect(driven.view.shown == NaiveList(last) && driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list that comes while a row is configured is shown after a while`() async throws {
    let (clock, last) = (ManualClock(), try TestSnapshot.of(("a", [2])))
    var driven = DrivenView(try .of(("a", [1])))
    let driver = driven.driver
    driver.clock = clock
    driven.update(to: try .of(("a", [1, 2])))
    driven.view.whileConfiguring = { driver.apply(last) }
    driver.refresh([1])
    driven.view.whileConfiguring = nil
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(5))
    await soon { driver.isSettled }
    #expect(driven.view.shown == NaiveList(last) && driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `who waits for rest is not kept waiting by the update that waited, too`() async throws {
    let clock = ManualClock()
    var driven = DrivenView(try .of(("a", [1])))
    let driver = driven.driver
    driver.clock = clock
    driven.update(to: try .of(("a", [1, 2])))
    driven.update(to: try .of(("a", [1, 2, 3])))
    let waiting = Task { await driver.settled() }
    await soon { driver.waiters.count == 1 }
    await clock.waitForSleepers(1)
    driven.view.finishAnimations()
    #expect(!driver.isSettled)
    await clock.waitForSleepers(2)
    await clock.advance(by: .seconds(5))
    await waiting.value
    #expect(driver.isSettled)
  }
}
