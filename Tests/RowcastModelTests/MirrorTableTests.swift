import Foundation
import Testing

@testable import RowcastModel

/// The state machine of a mirror: each state with each message, written down.
///
/// The mirror is at revision 6 of the run *b*, which follows the run *a*; *c* follows *b*. Of the unrelated runs, it
/// has left *s*, which it knew up to revision 9, and does not know *t*.
@Suite(.watched) struct MirrorTableTests {
  private static let runs = [at("a", 0), at("b", 4), at("c", 6)]

  /// The list at a position: it tells positions apart, but not the two of a list where one run ends and the next begins.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func list(_ position: ListPosition) -> TestSnapshot {
    let writer = ["a", "b", "c"].contains(position.epoch) ? "" : position.epoch
    return TestSnapshot(
      unchecked: [ListSection(TestSection("a"), rows: (0..<position.revision).map { TestRow($0, writer) })])
  }

  /// A whole list with its runs, like `W b6`; a step with its start, like `b6→c7`; `P`, `E` and `R` for progress, end and run.
  private static func message(_ text: String) -> Message {
    let kind = text.prefix(1)
    let places = text.dropFirst(2).split(separator: "→").map { place in
      at(place.first == "-" ? "" : String(place.prefix(1)), Int(place.dropFirst()) ?? 0)
    }
    let (start, target) = (places[0], places[places.count - 1])
    switch kind {
    case "W":
      let first = runs.firstIndex { $0.epoch == target.epoch }
      let lineage = Lineage(first.map { Array(runs[...$0]) } ?? []) ?? Lineage()
      return .initial(revision: target.revision, snapshot: list(target), epoch: target.epoch, lineage: lineage)
    case "P": return .progress(target, since: start)
    case "E": return .end(revision: target.revision, updates: 1, epoch: target.epoch)
    case "R": return .run(Lineage(of: target.epoch, since: target.revision))
    default:
      return Message(
        ListUpdate(
          revision: target.revision, previous: start.revision, changes: list(start).changes(to: list(target)),
          snapshot: list(target), epoch: target.epoch, previousEpoch: start.epoch))
    }
  }

  /// The states: nothing yet, following, missing changes, missing the beginning of a run, missing the whole list, ended.
  private static let states: [(name: Character, messages: [String])] = [
    ("n", []), ("f", []), ("c", ["C b8→b9"]), ("r", ["C b8→c9"]), ("l", ["C t3→t4"]), ("e", ["E b6"]),
  ]

  private static func mirror(_ state: (name: Character, messages: [String])) throws -> Mirror {
    var mirror = Mirror()
    if state.name == "n" { return mirror }
    for text in ["W s8", "C s8→s9", "W b5", "C b5→b6"] + state.messages { _ = try mirror.receive(message(text)) }
    return mirror
  }

  /// What each message does in the six states: `+` it is applied, `!` it is applied and refused by a stream in order, `=` nothing is
  /// new, `<` it is late, `>` something before it is missing. Then the states after it: `n` waiting for the whole list, `c` for changes.
  private static let table: [(message: String, verdicts: String, after: String)] = [
    // Whole lists.
    ("W b5", "+<<<<<", "ffccne"), ("W b6", "+====<", "fffffe"), ("W b7", "+++++!", "ffffff"),
    ("W a3", "+<<<<<", "ffccne"), ("W a9", "+<<<<<", "ffccne"), ("W c6", "++++++", "ffffff"),
    ("W c8", "++++++", "ffffff"), ("W s7", "+<<<<<", "ffccne"), ("W s9", "+<<<<<", "ffccne"),
    ("W s10", "+!!!!!", "ffffff"), ("W t1", "+!!!!!", "ffffff"), ("W -3", "+!!!!!", "ffffff"),
    // Changes.
    ("C b4→b5", "><<<<<", "nfccne"), ("C b5→b6", "><<<<<", "nfccne"), ("C b6→b7", ">++++<", "nfccne"),
    ("C b6→b9", ">++++<", "nffcne"), ("C b5→b7", ">>>>>>", "nccccc"), ("C b8→b9", ">>>>>>", "nccccc"),
    ("C a2→a3", "><<<<<", "nfccne"),
    ("C a3→b5", "><<<<<", "nfccne"), ("C a6→b7", ">++++<", "nfccne"), ("C b6→c7", ">+++++", "nfffnf"),
    ("C b5→c7", ">>>>>>", "nccccc"), ("C b8→c9", ">>>>>>", "nccccc"), ("C c7→c8", ">>>>>>", "nnnnnn"),
    ("C s8→s9", "><<<<<", "nfccne"), ("C s9→s10", ">>>>>>", "nnnnnn"), ("C t0→t1", ">>>>>>", "nnnnnn"),
    ("C a6→t7", ">>>>>>", "nnnnnn"), ("C b6→a7", "><<<<<", "nfccne"), ("C b6→s9", ">+++++", "nfffnf"),
    ("C -3→-4", ">>>>>>", "nnnnnn"), ("C b6→-7", ">>>>>>", "nnnnnn"), ("C -6→b7", ">++++<", "nfccne"),
    // Progress.
    ("P b6", ">=====", "nfccne"), ("P b5", "><<<<<", "nfccne"), ("P b8", ">>>>>>", "nccccc"),
    ("P b6→b8", ">++++<", "nfccne"), ("P b5→b8", ">>>>>>", "nccccc"), ("P a6→b6", ">=====", "nfccne"),
    ("P a3", "><<<<<", "nfccne"), ("P b6→c6", ">+++++", "nfffnf"), ("P b7→c7", ">>>>>>", "nccccc"),
    ("P c6", ">>>>>>", "nnnnnn"), ("P s9", "><<<<<", "nfccne"), ("P s10", ">>>>>>", "nnnnnn"),
    ("P t1", ">>>>>>", "nnnnnn"), ("P b6→-6", ">>>>>>", "nnnnnn"),
    // Ends.
    ("E b6", ">++++<", "necxne"), ("E b5", "><<<<<", "nfccne"), ("E b8", ">>>>>>", "nccccc"),
    ("E a3", "><<<<<", "nfccne"), ("E c8", ">>>>>>", "nnnnnn"), ("E s9", "><<<<<", "nfccne"),
    ("E t1", ">>>>>>", "nnnnnn"),
    // Runs say nothing of lists.
    ("R b6", "======", "nfccne"), ("R c6", "======", "nfccne"), ("R t1", "======", "nfccne"),
  ]

  private static func sign(_ verdict: MirrorProgress.Verdict) -> Character {
    switch verdict {
    case .apply: "+"
    case .applyOther: "!"
    case .skip: "="
    case .stale: "<"
    case .gap: ">"
    }
  }

  @Test(arguments: 0..<6) func `each message in each state does what the table says`(column: Int) throws {
    let state = Self.states[column]
    for (text, verdicts, after) in Self.table {
      var mirror = try Self.mirror(state)
      let (message, before) = (Self.message(text), mirror)
      let verdict = Self.sign(try mirror.progress.verdict(on: message))
      #expect(verdict == Array(verdicts)[column], "\(text) in state \(state.name)")
      // A stream in order takes what is next, and nothing else.
      var strict = before
      do {
        _ = try strict.fold(message)
        #expect("+=".contains(verdict), "\(text) in state \(state.name)")
      } catch {
        #expect("!<>".contains(verdict) && strict.state == before.state, "\(text) in state \(state.name): \(error)")
      }
      let update = try mirror.receive(message)
      if "+!".contains(verdict) {
        #expect(mirror.position == message.position, "\(text) in state \(state.name)")
        #expect(
          mirror.snapshot == (text.first == "P" || text.first == "E" ? before.snapshot : Self.list(message.position)))
      } else {
        #expect(update == nil && mirror.position == before.position && mirror.snapshot == before.snapshot)
      }
      let name: Character =
        switch mirror.state {
        case .waiting(for: .wholeList): "n"
        case .waiting(for: .changes): "c"
        case .following: "f"
        case .ended: "e"
        }
      // What is missed in both ways needs the whole list; an end behind a gap is waited for.
      var expected = Array(after)[column]
      if expected == "x" || (expected == "c" && state.name == "l") { expected = expected == "x" ? "c" : "n" }
      #expect(name == expected, "\(text) in state \(state.name): \(mirror.state)")
    }
  }
}

/// Mirrors whose writer restarts, and mirrors that received messages that no writer sends.
@Suite(.watched) struct MirrorRestartTests {
  /// The list of a writer at a revision: as many rows, with a text of the writer.
  private static func list(_ revision: Int, _ writer: String = "") -> TestSnapshot {
    TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: (0..<revision).map { TestRow($0, writer) })])
  }

  private static func whole(_ revision: Int, _ writer: String = "", at told: Int? = nil) -> Message {
    .initial(revision: told ?? revision, snapshot: list(revision, writer), epoch: "e")
  }

  private static func changes(_ previous: Int, _ revision: Int, _ writer: String = "", at told: Int? = nil) -> Message {
    let (before, after) = (list(previous, writer), list(revision, writer))
    return Message(
      ListUpdate(
        revision: told ?? revision, previous: previous, changes: before.changes(to: after), snapshot: after, epoch: "e")
    )
  }

  private func mirror(_ revision: Int) -> Mirror { Mirror(Self.list(revision), at: at("e", revision)) }

  @Test func `messages that cannot be are refused by name, and change nothing`() throws {
    var ended = mirror(3)
    _ = try ended.fold(.end(revision: 3, updates: 1, epoch: "e"))
    for (message, mirror, error) in [
      (Self.changes(3, 4, at: 3), mirror(3), WireError.fallingRevision(from: 3, to: 3)),
      (Self.changes(3, 4, at: 2), mirror(3), .fallingRevision(from: 3, to: 2)),
      (Self.whole(2), mirror(3), .fallingRevision(from: 3, to: 2)),
      (Self.changes(3, 4, at: -1), mirror(3), .negativeRevision(-1)),
      (Self.whole(0, at: -4), mirror(3), .negativeRevision(-4)),
      (Self.changes(3, 4), mirror(2), .wrongRevision(list: 2, messageStartsAt: 3)),
      (Self.changes(3, 4), Mirror(), .missingInitial),
      (Self.changes(3, 4), ended, .ended(revision: 3)), (Self.whole(4), ended, .ended(revision: 3)),
      (.end(revision: 3, updates: 1, epoch: "e"), ended, .ended(revision: 3)),
    ] {
      var strict = mirror
      #expect(throws: error) { try strict.fold(message) }
      #expect(strict.snapshot == mirror.snapshot && strict.state == mirror.state)
    }
    for revision in [Int.max, 1 << 53] {
      for message in [
        Self.whole(0, at: revision), Self.changes(3, 4, at: revision), .end(revision: revision, updates: 1, epoch: "e"),
      ] {
        var (lenient, strict) = (mirror(3), mirror(3))
        #expect(throws: WireError.self) { try lenient.receive(message) }
        #expect(throws: WireError.self) { try strict.fold(message) }
        #expect(lenient.state == .following(at("e", 3)) && lenient.snapshot == Self.list(3))
      }
    }
  }

  @Test(arguments: [0, 64, 65])
  func `an epoch is in every message if it is not too long to be read, and messages without one are read`(
    bytes: Int
  ) throws {
    let epoch = bytes == 0 ? "" : String(repeating: "e", count: bytes - 2) + "é"
    for message in [
      Message.initial(revision: 0, snapshot: .init(), epoch: epoch), .end(revision: 0, updates: 1, epoch: epoch),
      Message(TestUpdate(revision: 1, previous: 0, changes: .init(), snapshot: .init()), epoch: epoch),
    ] {
      if bytes > 64 {
        #expect(throws: (any Error).self) { try json(message) }
        continue
      }
      let line = try json(message)
      #expect(line.contains("epoch") == (bytes > 0))
      #expect(try read(line) == message && message.epoch == epoch)
    }
    let read = try? read(#"{"v":1,"kind":"end","revision":0,"updates":0,"epoch":"\#(epoch)"}"#)
    #expect(read?.epoch == (bytes > 64 ? nil : epoch))
  }

  @Test func `operations and contents of unequal number are refused`() throws {
    let list = try TestSnapshot.of(("a", [1]))
    let after = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(1, "new"), TestRow(2)])])
    let update = ListUpdate(revision: 1, previous: 0, changes: list.changes(to: after), snapshot: after)
    var changes = WireChanges(update, from: at("", 0), epoch: "")
    changes.insertedRows = []
    var mirror = Mirror(list, at: at("", 0))
    #expect {
      try mirror.fold(.changes(changes))
    } throws: { error in
      guard case .contradiction(let text) = error as? WireError else { return false }
      return text.contains("1 inserts of rows")
    }
    #expect(mirror.snapshot == list)
  }
}
