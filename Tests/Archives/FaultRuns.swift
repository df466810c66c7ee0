// Each system call on the files of an archive fails once, or from then on, or is the last one of its process.
import Foundation
import Rowcast
import RowcastConsole

struct FaultRuns {
  private let folder: String
  private var path: String { folder + "/list.jsonl" }

  /// What is in the folder at first, and how the archive is opened.
  private enum Scenario: String, CaseIterable {
    /// Nothing.
    case new
    /// A file whose last line is incomplete, after a run that changed nothing; the device is waited for.
    case kept
    /// The same with a damaged line, behind a link, and a draft of a process that was killed.
    case damaged

    var durability: ArchiveDurability { self == .new ? .written : .synced(every: .zero) }
    var isRecovering: Bool { self == .damaged }
    /// The number of edits that the file has at first, before the damage.
    var savedCount: Int { self == .new ? 0 : self == .kept ? 9 : 7 }
  }

  private struct Fault {
    var name: String
    var fault: fault
    var code: Int32 = 0
    /// The calls that can fail so, by the letters of `faults.c`; all if it is empty.
    var calls = ""
    var isLasting = false
  }

  /// True if the fault prevents the removal of a draft, or hides its creation.
  private static func leavesDraft(_ fault: Fault, at call: String) -> Bool {
    fault.isLasting ? fault.calls.contains("u") : call == "u" || call == "c" && fault.fault == FAULT_ERROR_AFTER
  }

  private let faults = [
    Fault(name: "killed before", fault: FAULT_KILL_BEFORE), Fault(name: "killed after", fault: FAULT_KILL_AFTER),
    Fault(name: "EINTR", fault: FAULT_ERROR, code: EINTR), Fault(name: "half", fault: FAULT_SHORT, calls: "wp"),
    Fault(name: "EIO", fault: FAULT_ERROR, code: EIO),
    Fault(name: "EIO, and done", fault: FAULT_ERROR_AFTER, code: EIO, calls: "cxtwyru"),
    Fault(name: "ENOSPC", fault: FAULT_ERROR, code: ENOSPC, calls: "cwtyr"),
    Fault(name: "EMFILE", fault: FAULT_ERROR, code: EMFILE, calls: "ocd"),
    Fault(name: "EIO from then on", fault: FAULT_ERROR, code: EIO, calls: "ocxsflktymruwpnad", isLasting: true),
    Fault(name: "ENOSPC from then on", fault: FAULT_ERROR, code: ENOSPC, calls: "cwyr", isLasting: true),
    Fault(name: "EMFILE from then on", fault: FAULT_ERROR, code: EMFILE, calls: "ocd", isLasting: true),
  ]

  init(in folder: String) { self.folder = folder }

  // MARK: - What the copies do

  private func open(_ scenario: Scenario) throws -> Archive {
    let name = scenario == .damaged ? folder + "/link" : path
    return try Archive(
      at: name, history: .last(3), durability: scenario.durability, recovering: scenario.isRecovering)
  }

  /// The content of the file, by a path whose calls do not count.
  private var bytes: Data? { try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/root" + path)) }

  /// Says if a draft of the list is left; another process's does not count. Called where no attempt can have begun since the one
  /// that failed.
  private func sayDraft() {
    let draft = FileManager.default.contents(atPath: "/proc/self/root" + path + ".lock.new")
    if let draft, draft != Self.formerDraft { Copy.say("draft of \(draft.count) bytes") }
  }

  /// Two runs of a list, which tell what they were told.
  private func work(_ scenario: Scenario) async {
    var archives: [Archive] = []
    for run in 0..<2 {
      for attempt in 0..<2 where archives.count == run {
        let before = bytes
        do { archives.append(try open(scenario)) } catch {
          Copy.say("refused \(attempt): \(error)")
          if bytes != before { Copy.say("changed") }
          sayDraft()
        }
      }
      guard archives.count > run else { return }
      do {
        let store = try archives[run].open()
        let first = NumberedList.count(await store.snapshot)
        Copy.say("open \(first)")
        for number in first + 1...first + (run == 0 ? 11 : 2) {
          Copy.say("edit \(number)")
          try await NumberedList.edit(number).apply(to: store)
          if run == 1 { continue }
          for _ in 0..<2 {
            do {
              if number == first + 7 { try await archives[0].beginRun() }
              if number == first + 6 { try await archives[0].compact() } else { try await archives[0].flush() }
              Copy.say("saved \(number)")
              break
            } catch { Copy.say("failed: \(error)") }
          }
        }
        do {
          try await archives[run].close()
          Copy.say("closed \(NumberedList.count(await store.snapshot))")
        } catch {
          Copy.say("unclosed: \(error)")
          sayDraft()
        }
      } catch { Copy.say("WRONG: \(error)") }
    }
  }

  /// Opens the file as the next process does, and looks at the list.
  private func look(_ scenario: Scenario) async {
    do {
      let archive = try open(scenario)
      let list = await archive.snapshot
      let count = NumberedList.count(list)
      let isRight = list.items == NumberedList.list(after: count)
      Copy.say(isRight ? "found \(count)" : "WRONG after \(count): \(list.items.map { ($0.id, $0.text.prefix(9)) })")
      try await archive.close()
    } catch { Copy.say("WRONG: \(error)") }
  }

  // MARK: - Runs

  private var files: FileManager { .default }
  private var names: [String] {
    get throws { try files.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func clear() throws {
    try? files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// The bytes of the file at first. A copy makes them, in a run and another one without a change.
  private func original(_ scenario: Scenario) throws -> Data? {
    try clear()
    if scenario == .new { return nil }
    let copy = Copy { [self] in
      do {
        for end in [9, 9] {
          let archive = try Archive(at: path, history: .last(20))
          let store = try archive.open()
          for number in NumberedList.count(await store.snapshot)..<end {
            try await NumberedList.edit(number + 1).apply(to: store)
            try await archive.flush()
          }
          try await archive.close()
        }
      } catch { Copy.say("\(error)") }
    }
    let (lines, code) = copy.end()
    check(lines.isEmpty && code == 0, "\(lines)")
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    if scenario == .kept { return data + Data(#"{"crc":"12345678","ep"#.utf8) }
    // A byte of the last line but two.
    let ends = data.indices.filter { data[$0] == UInt8(ascii: "\n") }
    data[ends[ends.count - 3] - 9] ^= 4
    return data
  }

  private static let formerDraft = Data("draft".utf8)

  private func prepare(_ scenario: Scenario, _ original: Data?) throws {
    try clear()
    try original?.write(to: URL(fileURLWithPath: path))
    guard scenario == .damaged else { return }
    try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "list.jsonl")
    try Self.formerDraft.write(to: URL(fileURLWithPath: path + ".lock.new"))
  }

  /// The calls of a run without a fault, by their letters.
  private func calls(_ scenario: Scenario, _ original: Data?) throws -> [Character] {
    try prepare(scenario, original)
    faults_arm(folder, FAULT_NONE, 0, 0, nil)
    let (lines, code) = Copy { [self] in await work(scenario) }.end()
    check(code == 0 && lines.last?.hasPrefix("closed") == true, "\(lines)")
    return Array(unsafe String(cString: faults_calls()))
  }

  /// A run in which one call, or several from that one on, fail.
  private func run(_ scenario: Scenario, _ fault: Fault, _ number: Int, _ original: Data?) throws {
    try prepare(scenario, original)
    let (lines, code) = unsafe fault.calls.withCString { calls in
      unsafe faults_arm(folder, fault.fault, fault.code, Int32(number), fault.isLasting ? calls : nil)
      return Copy { [self] in
        await work(scenario)
        // All archives are closed or released.
        if faults_open() != 0 { Copy.say("WRONG: \(faults_open()) files are still open") }
      }
      .end()
    }
    try judge(scenario, fault, number, original, lines, code)
  }

  /// Looks at what the archive told, and at what is left of it.

  private func judge(
    _ scenario: Scenario, _ fault: Fault, _ number: Int, _ original: Data?, _ lines: [String], _ code: Int32
  ) throws {
    let hit = faults_hit()
    let calls = Array(unsafe String(cString: faults_calls()))
    let call = calls.count < number ? "none" : String(calls[number - 1])
    let place = "\(scenario), call \(number) \(call), \(fault.name)"
    func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
      check(condition, "\(place): \(message())\n\(lines.joined(separator: "\n"))", line: line)
    }
    let isKilled = hit && (fault.fault == FAULT_KILL_BEFORE || fault.fault == FAULT_KILL_AFTER)
    expect(code == (isKilled ? 137 : 0), "it ended with \(code)")
    var told = scenario.savedCount
    var newest = told
    for line in lines {
      let words = line.split(separator: " ")
      switch words[0] {
      case "edit": newest = Int(words[1]) ?? 0
      // A device that takes nothing more does not take back what it took either. A file that has taken the place of a damaged one stays.
      case "changed":
        let isWaitedFor = scenario == .damaged && (call == "y" || call == "o")
        expect(fault.isLasting || isWaitedFor, "a file that was refused is not as it was")
      case "draft": expect(Self.leavesDraft(fault, at: call), "a draft is left after an attempt that failed")
      case "open", "saved", "closed":
        told = Int(words[1]) ?? 0
        newest = max(told, newest)
      default:
        expect(line.contains(folder) && !line.contains("WRONG"), "an error that names no file")
        expect(hit && fault.code != EINTR && fault.fault != FAULT_SHORT, "an error that is none")
      }
    }
    // One error stops nothing: the next attempt is a success.
    if !isKilled, !fault.isLasting {
      expect(lines.filter { $0.hasPrefix("closed") }.count == 2, "it was not saved after one error")
    }
    if !isKilled, !Self.leavesDraft(fault, at: call) {
      let draft = FileManager.default.contents(atPath: path + ".lock.new")
      expect(draft == nil || draft == Self.formerDraft, "a draft is left in the end")
    }
    let found = Copy { [self] in await look(scenario) }.end()
    expect(found.code == 0 && found.lines.count == 1, "\(found)")
    let count = found.lines.first.flatMap { $0.hasPrefix("found ") ? Int($0.dropFirst(6)) : nil }
    expect(count.map { (told...newest).contains($0) } == true, "\(told) was told, and then \(found.lines)")
    let rest = try names.filter { !["list.jsonl", "list.jsonl.lock", "link"].contains($0) }
    if scenario == .damaged {
      // Whoever is killed between may leave a first one, complete or not.
      expect(rest.allSatisfy { $0.hasPrefix("list.jsonl.damaged-") } && (1...2).contains(rest.count), "\(rest)")
      let last = rest.last.flatMap { try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }
      expect(rest.count == 1 || isKilled || fault.isLasting || fault.fault == FAULT_ERROR_AFTER, "\(rest)")
      expect(last == original.map(Self.lost), "what was left out is not kept")
    } else {
      expect(rest.isEmpty, "files that nobody knows: \(rest)")
    }
  }

  /// The damaged line of a file, and the lines that then have no predecessor.
  private static func lost(_ data: Data) -> Data {
    let lines = data.split(separator: UInt8(ascii: "\n"))
    return Data(lines[(lines.count - 3)...].joined(separator: [UInt8(ascii: "\n")])) + Data("\n".utf8)
  }

  func run() throws {
    var total = 0
    let isLong = ProcessInfo.processInfo.environment["ROWCAST_LONG"] == "1"
    for scenario in Scenario.allCases {
      let original = try original(scenario)
      let calls = try calls(scenario, original)
      var counts: [String] = []
      for fault in faults {
        let all = calls.indices.filter { fault.calls.isEmpty || fault.calls.contains(calls[$0]) }
        // A call after which a process was killed is the one before which another is, nearly.
        let isFrequent = fault.isLasting || fault.fault == FAULT_KILL_AFTER
        let numbers = all.enumerated().filter { !isFrequent || isLong || $0.offset % 3 == 0 }.map(\.element)
        for number in numbers { try run(scenario, fault, number + 1, original) }
        total += numbers.count
        counts.append("\(numbers.count) \(fault.name)")
      }
      print("\(scenario): \(calls.count) calls: \(counts.joined(separator: ", "))")
    }
    print("archives: \(total) runs with a fault, and each found what it was told")
  }
}
