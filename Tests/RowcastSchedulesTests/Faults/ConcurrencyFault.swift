#if ROWCAST_HOOKS
  import RowcastSchedules
  import Testing

  /// A known fault of concurrent code, in plain Swift, and the same code without it.
  struct ConcurrencyFault: Sendable, CustomTestStringConvertible {
    /// What goes wrong, in a few words.
    let name: String
    /// Runs the code; the flag takes the fault out.
    let body: @Sendable (_ run: ScheduleRun, _ isMended: Bool) async throws -> Void

    var testDescription: String { name }

    /// All of them.
    static let all = lostState + lostWakeUps + ends + orders
  }
#endif
