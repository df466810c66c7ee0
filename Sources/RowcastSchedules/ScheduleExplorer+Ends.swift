internal import CSchedules
internal import Foundation

// Schedules that end the process: a trap, an abort, a fault. Nothing can be told after the end, so such a schedule is repeated in
// copies of the process, and reduced there.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ScheduleExplorer {
  /// Tells a person how a schedule ends the process, reduced and with its jobs, if it does.
  ///
  /// A copy has only the thread that made it: what other threads were about to do is lost. A copy that waits for them is ended
  /// after ten seconds, and nothing is told. So it is under a sanitizer, whose threads a copy lacks.
  func explainEnd(_ path: SchedulePath) {
    guard schedules_canLeave(), (try? prepare()) != nil else { return }
    func ended(_ make: @escaping () -> any Chooser, isTraced: Bool = false) -> (
      record: ScheduleRecord, story: Substring
    )? {
      let report = Self.inCopy {
        let record = run(
          make(), seed: path.seed, ScheduleThreads(), isTraced: isTraced, patience: .zero, isCopy: true)
        Scheduler.report("passed \(record.steps) \(SchedulePath(seed: path.seed, switches: record.switches))\n")
      }
      guard let report else { return nil }
      let head = report.prefix { $0 != "\n" }.split(separator: " ")
      guard head.count == 3, let steps = Int(head[1]), let switches = SchedulePath(String(head[2]))?.switches else {
        return nil
      }
      var record = ScheduleRecord()
      (record.steps, record.switches) = (steps, switches)
      if head[0] == "ended" {
        record.failure = .threw(ScheduleError(description: "a signal ends the process", place: options.place))
      }
      return (record, report.drop { $0 != "\n" }.dropFirst())
    }
    guard let found = ended({ path.switches.map(ReplayChooser.init) ?? chooser(of: path) })?.record,
      let kind = found.failure?.name
    else { return }
    let reduced = shortest(found, kind: kind) { switches in
      ended { ReplayChooser(switches) }?.record ?? ScheduleRecord()
    }
    guard let traced = ended({ ReplayChooser(reduced.switches) }, isTraced: true), traced.record.failure != nil else {
      return
    }
    let shortest = SchedulePath(seed: path.seed, switches: reduced.switches)
    tell(
      "a signal ends the process; a reduced schedule on which it does: ROWCAST_SCHEDULE=\"\(shortest)\"\n\(String(traced.story).excerpt)"
    )
  }

  private static func inCopy(_ body: () -> Void) -> String? {
    withoutActuallyEscaping(body) { body in
      var body = body
      return unsafe withUnsafeMutablePointer(to: &body) { pointer in
        let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
          unsafe context?.assumingMemoryBound(to: (() -> Void).self).pointee()
        }
        guard let text = unsafe schedules_inCopy(run, pointer, 10) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
      }
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Scheduler {
  /// Reports, from the handler of a signal that ends a copy of the process, the schedule up to there.
  func reportEnd() {
    Self.report("ended \(record.steps) \(SchedulePath(seed: run.seed, switches: record.switches))\n")
    trace?.end(self, as: "the process ends")
    if let lines = trace?.lines { Self.report(lines.story) }
  }

  static func report(_ text: String) { unsafe schedules_report(text, text.utf8.count) }
}
