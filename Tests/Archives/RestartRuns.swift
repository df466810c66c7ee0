// An archive is closed, killed and opened again, while another process deletes, moves, copies and replaces its file and its lock.
import Foundation
import Rowcast
import RowcastConsole
import RowcastTesting

struct RestartRuns {
  private let folder: String
  private var path: String { folder + "/list.jsonl" }
  private var lock: String { path + ".lock" }
  private var files: FileManager { .default }

  /// What may be in a file, without any code of Rowcast.
  private enum Content {
    /// One of these lists.
    case lists([[Item]])
    /// A file that is not an archive: it is refused.
    case notes
  }

  private var random: SeededGenerator
  private var counts: [String: Int] = [:]
  /// What is at each path, but the file that the open archive writes.
  private var contents: [String: Content] = [:]
  /// The lists of the open archive since it told that it has saved one, that one first; where its file is, if it is somewhere.
  private var lists: [[Item]] = [[]]
  private var place: String?
  /// True if its lock was deleted, or its file was not where it was, since it last told that it was.
  private var (isUnlocked, isDisturbed) = (false, false)
  private var number = 0
  /// What has happened in the last runs.
  private var log: [String] = []

  init(in folder: String) {
    self.folder = folder
    random = .forFuzzing("restarts of archives")
  }

  // MARK: - What the copy does

  private static func work(_ path: String, _ durability: ArchiveDurability) async {
    let archive: Archive
    do { archive = try Archive(at: path, history: .last(5), durability: durability) } catch {
      return Copy.say("refused \(error)")
    }
    do {
      let store = try archive.open()
      let items = await store.snapshot.items
      Copy.say("open \(items.map { "\($0.id)=\($0.text)" }.joined(separator: ","))")
      while true {
        let words = Copy.hear().split(separator: " ").map(String.init)
        if words.isEmpty { return }
        do {
          switch words[0] {
          case "edit":
            let padding = words.count > 3 ? String(repeating: "x", count: 9_000) : ""
            let edit = Edit(id: Int(words[1]) ?? 0, text: words[2] == "-" ? nil : words[2] + padding)
            try await [edit].apply(to: store)
          case "flush": try await archive.flush()
          case "compact": try await archive.compact()
          default: try await archive.close()
          }
          Copy.say("done")
        } catch { Copy.say("failed \(error)") }
        if words[0] == "close" { return }
      }
    } catch { Copy.say("WRONG \(error)") }
  }

  // MARK: - The other process

  private mutating func count(_ name: String) {
    counts[name, default: 0] += 1
    note(name)
  }

  private mutating func note(_ text: String) { log = log.suffix(60) + [text] }

  private func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
    check(condition, "\(message())\nafter: \(log.joined(separator: "; "))", line: line)
  }

  private mutating func move(_ from: String, to name: String) throws {
    expect(unsafe rename(from, name) == 0, "\(from) cannot be moved")
    contents[name] = contents.removeValue(forKey: from)
    if place == name { place = nil }
    if place == from { place = name }
  }

  /// Notes that the archive has written its list again, as nothing was at the path.
  private mutating func settle() {
    guard place != path, contents[path] == nil, !isUnlocked, files.fileExists(atPath: path) else { return }
    if let place { contents[place] = .lists(lists) }
    place = path
  }

  /// Does something to the files. Returns what.
  private mutating func disturb(isOpen: Bool) throws -> String {
    let (away, copy) = (folder + "/away", folder + "/copy")
    if isOpen { settle() }
    let isThere = files.fileExists(atPath: path)
    let wasDisturbed = isDisturbed
    isDisturbed = true
    switch Int.random(in: 0..<9, using: &random) {
    case 0 where isThere:
      try files.removeItem(atPath: path)
      contents[path] = nil
      if place == path { place = nil }
      return "delete"
    case 1 where isThere:
      try move(path, to: away)
      return "move"
    case 2 where files.fileExists(atPath: away):
      try move(away, to: path)
      return "move back"
    case 3 where isThere:
      try? files.removeItem(atPath: copy)
      try files.copyItem(atPath: path, toPath: copy)
      contents[copy] = place == path ? .lists(lists) : contents[path]
      isDisturbed = wasDisturbed
      return "copy"
    case 4 where files.fileExists(atPath: copy):
      try move(copy, to: path)
      return "restore"
    case 5 where !isThere || Bool.random(using: &random):
      try Data("notes\n".utf8).write(to: URL(fileURLWithPath: path + ".notes"))
      contents[path + ".notes"] = .notes
      try move(path + ".notes", to: path)
      return "replace by notes"
    case 6:
      try? files.removeItem(atPath: lock)
      isUnlocked = isOpen
      return "delete the lock"
    case 7 where !isOpen:
      try Data("draft".utf8).write(to: URL(fileURLWithPath: lock + ".new"))
      isDisturbed = wasDisturbed
      return "leave a draft"
    default:
      isDisturbed = wasDisturbed
      return "nothing"
    }
  }

  // MARK: - Runs

  /// Opens the archive and looks at its list. Returns `nil` if it is refused, as it must be.
  private mutating func open() -> Copy? {
    let durability: ArchiveDurability = Int.random(in: 0..<4, using: &random) == 0 ? .synced(every: .zero) : .written
    let copy = Copy { [path] in await Self.work(path, durability) }
    let answer = copy.line() ?? "nothing"
    switch contents[path] {
    case .notes:
      expect(answer.hasPrefix("refused \(path): line 1 is damaged"), "notes were opened: \(answer)")
      expect(copy.end().code == 0, "a refused archive did not end")
      expect((try? String(contentsOfFile: path, encoding: .utf8)) == "notes\n", "notes were changed")
      count("refused")
      return nil
    case nil: lists = [[]]
    case .lists(let allowed): lists = allowed
    }
    expect(answer.hasPrefix("open "), "\(answer), and not \(lists.map(\.count))")
    let found = answer.dropFirst(5).split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
    let list = found.map { Item(id: Int($0[0]) ?? 0, text: String($0[1])) }
    expect(lists.contains(list), "a list that may not be there: \(Self.short(list)) of \(lists.map(Self.short))")
    note("OPEN")
    lists = [list]
    contents[path] = nil
    (place, isUnlocked, isDisturbed) = (path, false, false)
    return copy
  }

  private static func short(_ list: [Item]) -> String { "\(list.map { "\($0.id)=\($0.text.prefix(9))" })" }

  /// The archive has told that all is saved, or not.
  private mutating func judge(_ answer: String, _ work: String) {
    note(answer == "done" ? "done" : "")
    settle()
    let isInPlace = place == path && !isUnlocked
    if answer == "done" {
      expect(place == path && !isUnlocked, "\(work) is done, and the path leads elsewhere")
      lists = [lists[lists.count - 1]]
      isDisturbed = false
    } else {
      expect(answer.hasPrefix("failed \(path)"), "\(work): \(answer)")
      expect(!isInPlace || isDisturbed, "\(work) failed, and nothing was disturbed: \(answer)")
      count("failed")
    }
  }

  /// The archive has ended: its file is one like others.
  private mutating func leave() {
    settle()
    if let place { contents[place] = .lists(lists) }
    place = nil
  }

  mutating func run() throws {
    try? files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let rounds = SeededGenerator.rounds(80, long: 10_000)
    for _ in 0..<rounds {
      if Int.random(in: 0..<3, using: &random) == 0 { count(try disturb(isOpen: false)) }
      guard let copy = open() else {
        try files.removeItem(atPath: path)
        contents[path] = nil
        continue
      }
      var isOpen = true
      for _ in 0..<Int.random(in: 0...12, using: &random) where isOpen {
        let work: String
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5:
          let last = lists[lists.count - 1]
          number += 1
          var edit = Edit(id: Int.random(in: 0..<6, using: &random), text: "t\(number)")
          if Bool.random(using: &random), let row = last.randomElement(using: &random) { edit = Edit(id: row.id) }
          let isLong = edit.text != nil && Int.random(in: 0..<4, using: &random) == 0
          work = "edit \(edit.id) \(edit.text ?? "-")\(isLong ? " long" : "")"
          var list = last
          if isLong { edit.text? += String(repeating: "x", count: 9_000) }
          edit.apply(to: &list)
          lists.append(list)
        case 5..<8: work = "flush"
        case 8: work = "compact"
        case 9:
          // Not while it works: what the file has then is as it told.
          count(try disturb(isOpen: true))
          continue
        case 10: work = "close"
        default:
          // Killed amid something, perhaps.
          if Bool.random(using: &random) { copy.say("compact") }
          copy.kill()
          (isOpen, work) = (false, "kill")
        }
        count(String(work.prefix { $0 != " " }))
        guard isOpen else { break }
        copy.say(work)
        guard let answer = copy.line() else {
          expect(false, "the archive ended")
          return
        }
        if work.hasPrefix("edit") { expect(answer == "done", "\(work): \(answer)") } else { judge(answer, work) }
        if work == "close" {
          expect(copy.end().code == 0, "a closed archive did not end")
          isOpen = false
        }
      }
      if isOpen { copy.kill() }
      leave()
    }
    let names = try files.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("list.jsonl") }
    expect(names.allSatisfy { ["away", "copy"].contains($0) }, "files that nobody knows: \(names)")
    print(
      "archives: \(rounds) restarts: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))"
    )
  }
}
