import Foundation
import Rowcast

/// The processes of this machine, read from `/proc`.
struct ProcessList {
  /// What is known of one process.
  struct Entry {
    var pid: Int
    var startTime: UInt64
    var name: String
    var state: Character
    /// The processor time that it has used, in clock ticks.
    var ticks: UInt64
    var residentPages: UInt64
  }

  static var isAvailable: Bool { FileManager.default.fileExists(atPath: "/proc/self/stat") }

  /// The processes that exist now. Those that go while they are read are left out.
  static func read() -> [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int.init).compactMap { pid in
      FileManager.default.contents(atPath: "/proc/\(pid)/stat").flatMap { Entry(pid: pid, stat: $0) }
    }
  }
}

extension ProcessList.Entry {
  /// Reads the fields of `/proc/PID/stat`; the name stands in parentheses and may hold any character.
  init?(pid: Int, stat: Data) {
    let text = String(decoding: stat, as: UTF8.self)
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
    // From the third field on; proc(5) counts from 1.
    let fields = text[text.index(after: close)...].split(separator: " ")
    guard fields.count > 21, let state = fields[0].first, let user = UInt64(fields[11]),
      let system = UInt64(fields[12]), let start = UInt64(fields[19]), let pages = UInt64(fields[21])
    else { return nil }
    self.pid = pid
    self.state = state
    name = String(text[text.index(after: open)..<close])
    ticks = user + system
    startTime = start
    residentPages = pages
  }

  /// A process keeps its id as long as it lives; a later one with the same number has another.
  var id: String { "\(pid)-\(startTime)" }
}

extension Snapshot {
  /// Processes by state, the busiest first.
  ///
  /// - Parameters:
  ///   - processes: The processes as they are.
  ///   - before: The processor time that each had used, by id, one interval ago.
  ///   - interval: The length of the interval, in seconds.
  /// - Throws: If two processes have one id, which they have not.
  init(processes: [ProcessList.Entry], before: [String: UInt64], interval: Double) throws {
    let rows = processes.map { process in
      // A process that is new has no share yet, whatever it used before it was seen.
      let used = process.ticks - min(process.ticks, before[process.id] ?? process.ticks)
      return (process, share: Double(used) / 100 / max(interval, 0.001) * 100)
    }
    let byState = Dictionary(grouping: rows) { row in
      Self.names.firstIndex { $0.states.contains(row.0.state) } ?? Self.names.count - 1
    }
    try self.init(
      byState.sorted { $0.key < $1.key }.map { state, rows in
        ListSection(
          Group(id: Self.names[state].title, title: Self.names[state].title),
          rows: rows.sorted { ($1.share, $0.0.pid) < ($0.share, $1.0.pid) }.map { process, share in
            Item(
              id: process.id, title: process.name,
              subtitle: "pid \(process.pid)  cpu \(Int(share.rounded())) %  \(process.residentPages / 256) MB",
              kind: "process")
          })
      })
  }

  private static var names: [(title: String, states: Set<Character>)] {
    [
      ("Running", ["R"]), ("Waiting for a device", ["D"]), ("Sleeping", ["S"]), ("Idle", ["I"]),
      ("Stopped", ["T", "t"]), ("Zombies", ["Z", "X", "x"]), ("Other", []),
    ]
  }
}

extension ScenarioRun {
  /// Reads the process table about once a second, and shows what differs.
  func watchProcesses() async throws {
    try await attach(ProcessTable(interval: .seconds(1) / (options.speed ?? 1))) { _, _ in
      .stop
    } apply: { list, snapshot in
      list.replace(with: snapshot)
    }
  }
}

/// The process table, read again and again.
struct ProcessTable: AsyncSequence, Sendable {
  let interval: Duration

  struct AsyncIterator: AsyncIteratorProtocol {
    let interval: Duration
    let clock = ContinuousClock()
    var last: ContinuousClock.Instant?
    var ticks: [String: UInt64] = [:]

    mutating func next() async throws -> Snapshot? {
      if let last { try await clock.sleep(until: last.advanced(by: interval)) }
      let now = clock.now
      let elapsed = (last ?? now).duration(to: now).components
      let processes = ProcessList.read()
      let snapshot = try Snapshot(
        processes: processes, before: ticks,
        interval: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
      ticks = Dictionary(processes.map { ($0.id, $0.ticks) }) { first, _ in first }
      last = now
      return snapshot
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(interval: interval) }
}
