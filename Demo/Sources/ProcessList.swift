import Foundation
import Rowcast
import RowcastConsole
import RowcastPlatform
import RowcastSources

/// The processes of this machine, read from `/proc`.
struct ProcessList {
  /// What is known of one process.
  struct Entry {
    var pid: Int
    /// The number of the process that started it, or has taken it over.
    var parent: Int
    var startTime: UInt64
    var name: String
    var state: Character
    /// The processor time that it has used, in clock ticks.
    var ticks: UInt64
    var residentPages: UInt64
  }

  static var isAvailable: Bool { FileManager.default.fileExists(atPath: "/proc/self/stat") }

  /// The processes that exist now, without those that end while they are read.
  static func read() -> [Entry] {
    let names = (try? Platform.entries(ofDirectory: "/proc")) ?? []
    return names.compactMap(Int.init).compactMap(entry)
  }

  /// A process, if there is one of this number.
  static func entry(_ pid: Int) -> Entry? {
    guard let file = (try? Platform.open("/proc/\(pid)/stat")).map({ OpenFile(descriptor: $0) }) else { return nil }
    // All fields together are shorter, and arrive in one piece.
    return (try? Platform.read(from: file.descriptor, upTo: 1_024)).flatMap { Entry(pid: pid, stat: $0) }
  }
}

extension ProcessList.Entry {
  /// Reads the fields of `/proc/PID/stat`; the name is in parentheses and may hold any character.
  init?(pid: Int, stat: [UInt8]) {
    guard let open = stat.firstIndex(of: UInt8(ascii: "(")), let close = stat.lastIndex(of: UInt8(ascii: ")")),
      open < close
    else { return nil }
    // From the third field on; proc(5) counts from 1.
    let fields = stat[(close + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 22)
    func number(_ index: Int) -> UInt64? {
      fields.count > index ? UInt64(String(decoding: fields[index], as: UTF8.self)) : nil
    }
    guard let state = fields.first?.first, let parent = number(1), let user = number(11), let system = number(12),
      let start = number(19),
      let pages = number(21)
    else { return nil }
    self.pid = pid
    self.parent = Int(clamping: parent)
    self.state = Character(Unicode.Scalar(state))
    name = String(decoding: stat[(open + 1)..<close], as: UTF8.self)
    ticks = user + system
    startTime = start
    residentPages = pages
  }

  /// The memory that it has.
  var megabytes: UInt64 { (residentPages * UInt64(Platform.pageSize)) >> 20 }

  /// A process keeps its id as long as it lives; a later one with the same number has another.
  var id: String { "\(pid)-\(startTime)" }
}

/// The processes at one moment, with what the next table needs to compute their activity.
struct ProcessTable: Sendable {
  /// Processes by state, the busiest first; or all, each with its parent.
  let list: Snapshot
  /// The processor time used by each process, by id.
  private let ticks: [String: UInt64]
  private let instant: ContinuousClock.Instant

  /// Reads the process table.
  ///
  /// - Parameters:
  ///   - previous: The table one interval ago.
  ///   - showsSums: Whether the titles of sections have the sums of their processes.
  ///   - isTree: Whether all are in one section, in the order of their numbers.
  /// - Throws: If two processes have one id, which never happens.
  init(after previous: ProcessTable?, showsSums: Bool, isTree: Bool) throws {
    let now = ContinuousClock.now
    let processes = ProcessList.read()
    let interval = previous.map { $0.instant.duration(to: now) / .seconds(1) } ?? 0
    let rows = processes.map { process in
      // A new process has no share yet, whatever it used before it was first seen.
      let used = process.ticks - min(process.ticks, previous?.ticks[process.id] ?? process.ticks)
      return Row(process: process, share: Double(used) / Double(Platform.clockTicks) / max(interval, 0.001) * 100)
    }
    list = try Snapshot(
      (isTree ? [Self.tree(of: rows)] : Self.byState(rows)).map { title, rows in
        ListSection(
          Group(id: title, title: title + (showsSums ? Self.sums(of: rows) : "")),
          rows: rows.map { Item($0.process, share: $0.share, place: $0.place) })
      })
    instant = now
    ticks = Dictionary(processes.map { ($0.id, $0.ticks) }) { first, _ in first }
  }

  /// A process, with its share of one processor in percent, and in a tree the one above it.
  private struct Row {
    var process: ProcessList.Entry
    var share: Double
    var place: OutlinePlace<String>?
  }

  private static func byState(_ rows: [Row]) -> [(title: String, rows: [Row])] {
    let byState = Dictionary(grouping: rows) { row in
      states.firstIndex { $0.letters.contains(row.process.state) } ?? states.count - 1
    }
    return byState.sorted { $0.key < $1.key }.map { state, rows in
      (states[state].title, rows.sorted { ($1.share, $0.process.pid) < ($0.share, $1.process.pid) })
    }
  }

  private static func tree(of rows: [Row]) -> (title: String, rows: [Row]) {
    let ids = Dictionary(rows.map { ($0.process.pid, $0.process.id) }) { first, _ in first }
    let rows = rows.sorted { $0.process.pid < $1.process.pid }.map { row in
      Row(process: row.process, share: row.share, place: OutlinePlace(parent: ids[row.process.parent]))
    }
    return ("Processes", rows)
  }

  private static func sums(of rows: [Row]) -> String {
    let megabytes = rows.reduce(0) { $0 + $1.process.megabytes }
    return " (\(rows.reduce(0) { $0 + $1.share }.tenths) %, \(megabytes) MB)"
  }

  private static var states: [(title: String, letters: Set<Character>)] {
    [
      ("Running", ["R"]), ("Waiting for a device", ["D"]), ("Sleeping", ["S"]), ("Idle", ["I"]),
      ("Stopped", ["T", "t"]), ("Zombies", ["Z", "X", "x"]), ("Other", []),
    ]
  }
}

extension Double {
  /// The number in whole tenths.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}

extension Item {
  /// A process, with its share of one processor in percent.
  fileprivate init(_ process: ProcessList.Entry, share: Double, place: OutlinePlace<String>?) {
    self.init(
      id: process.id, title: process.name,
      subtitle: "pid \(process.pid)  cpu \(Int(share.rounded())) %  \(process.megabytes) MB", kind: "process")
    figures = [Double(process.pid), share.tenths, Double(process.megabytes)]
    self.place = place
  }
}

extension ScenarioRun {
  /// Reads the process table about once a second, and shows what differs.
  func watchProcesses() async throws {
    let tables = Polling(every: .seconds(1) / (options.speed ?? 1)) {
      try ProcessTable(after: $0, showsSums: hasKeys, isTree: options.tree)
    }
    try await attach(tables.prefix(options.isOnce ? 1 : .max)) { _, _ in
      .stop
    } apply: { list, table in
      list.replace(with: table.list)
    }
  }
}
