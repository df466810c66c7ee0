import RowcastDiff
import RowcastModel
import RowcastStore

// Writes the lines of states, or of their encodable part.
extension ArchiveWriter {
  /// Writes a state, or its encodable part.
  func put(_ state: State) async throws(ArchiveError) {
    let former = (written, layout, isDoubtful)
    if let complete {
      written = complete.state
      if let layout = complete.layout { self.layout = layout } else { isDoubtful = true }
    }
    // A line that has only a position of the origin has no list of this run.
    let isKnown = state.revision == written.revision && !isDoubtful
    do {
      try await add(state)
      if !isKnown { written = state }
      complete = nil
    } catch {
      guard case .unencodable = error else {
        // The lines after the complete ones may be lost.
        complete = nil
        throw error
      }
      let base = complete ?? (written, layout, Self.branch(of: state, after: written))
      (written, layout, isDoubtful) = former
      try await addRest(of: state, after: base)
      throw error
    }
  }

  /// Writes the encodable part of a state, if it has anything new.
  ///
  /// - Throws: ``ArchiveError/unencodable(reason:)`` with the row or section and its field; other errors of writing.
  private func addRest(
    of state: State, after base: (state: State, layout: ArchiveLayout?, branch: Lineage)
  ) async throws(ArchiveError) {
    guard let (list, reason) = await encodable(state, since: written) else { return }
    complete = base
    if list != written.snapshot || isDoubtful {
      let rest = State(snapshot: list, revision: state.revision, lineage: base.branch)
      // The origin never had this list.
      let origin = origin
      self.origin = nil
      defer { self.origin = origin }
      try await add(rest)
      written = rest
    }
    throw .unencodable(reason: reason)
  }

  /// The runs of a list up to a state, and one more for the lines that follow, whose positions no mirror gets.
  private static func branch(of state: State, after base: State) -> Lineage {
    let runs = state.lineage.runs.filter { $0.revision <= base.revision }
    let branch = ListPosition(epoch: ListPosition.randomEpoch(), revision: base.revision)
    return Lineage(runs + [branch]) ?? Lineage(of: branch.epoch, since: branch.revision)
  }

  private func add(_ state: State) async throws(ArchiveError) {
    if isDoubtful { return try await addKeyframe(of: state, keepingFrom: layout.size) }
    if state.revision == written.revision { return try await addOrigin(at: state) }
    let changes = try await line(.changes, of: state, since: written, origin)
    guard layout.needsKeyframe(after: changes.count, of: state.snapshot.elementCount) else {
      try await storage.append(changes, at: layout.size)
      layout.addChanges(size: changes.count)
      writtenOrigin = (origin?.position, nil)
      return
    }
    let oldest = await core.oldestRevision
    let isAlone = oldest >= state.revision
    try await addKeyframe(
      of: state, after: isAlone ? [] : changes,
      keepingFrom: isAlone ? layout.size : layout.compactStart(keeping: oldest))
  }

  /// Writes the position of the origin alone, which replaces a line with nothing else.
  private func addOrigin(at state: State) async throws(ArchiveError) {
    guard let origin, origin.position != writtenOrigin.position else { return }
    let line = try await line(.run, of: state, origin)
    if let former = writtenOrigin.line { layout.cut(to: former.lowerBound) }
    writtenOrigin = (nil, nil)
    try await storage.append(line, at: layout.size)
    writtenOrigin = (origin.position, layout.size..<layout.size + line.count)
    layout.addChanges(size: line.count)
  }

  /// Writes the whole list, after the line of its changes. If there is an offset, the file is rewritten with its content from
  /// there on.
  private func addKeyframe(
    of state: State, after changes: [UInt8] = [], keepingFrom start: Int?
  ) async throws(ArchiveError) {
    // Before the whole list is encoded.
    if start != nil { try await storage.verify(orNothing: true) }
    let keyframe = try await line(.keyframe, of: state, origin)
    if let start {
      try await storage.replace(keeping: start..<layout.size, appending: changes + keyframe)
      layout.removeBytes(before: start)
      isDoubtful = false
      complete?.layout = nil
    } else {
      try await storage.append(changes + keyframe, at: layout.size)
    }
    layout.addChanges(size: changes.count)
    layout.addKeyframe(size: keyframe.count, revision: state.revision, count: state.snapshot.elementCount)
    writtenOrigin = (origin?.position, nil)
  }

  /// Rewrites the file if more than half of it is not needed for the list and its history. A list that has become much shorter is
  /// written without its history, which would be longer than the list.
  func shrink() async throws(ArchiveError) {
    let ((newest, origin), oldest) = (await core.newestOfOrigin, await core.oldestRevision)
    self.origin = origin
    assert(newest.revision == written.revision, "\(written.revision) is written at the end, and not \(newest.revision)")
    let count = newest.snapshot.elementCount
    var (isNeeded, start) = (false, layout.size)
    if oldest < newest.revision, let first = layout.keyframes.last(where: { $0.revision <= oldest }) {
      if first.offset > layout.size / 2 { start = first.offset }
      isNeeded = layout.size <= 16_384 || 2 * count >= first.count
    }
    if start == layout.size {
      // Encoding a long list takes time, so that its size is estimated before.
      if isNeeded || layout.size > 65_536 && layout.size <= 2 * layout.estimatedSize(of: count) { return }
      if try await layout.size <= 2 * line(.keyframe, of: newest, origin).count { return }
    }
    try await addKeyframe(of: newest, keepingFrom: start)
  }

  // Lines are encoded outside of the actor, so that its readers do not wait.

  private nonisolated func line(
    _ kind: ArchiveLine.Kind, of state: State, since before: State? = nil, _ origin: State?
  ) async throws(ArchiveError) -> [UInt8] {
    let message: WireMessage<Section, Row>
    if let before {
      message = WireMessage(
        ListUpdate(
          revision: state.revision, previous: before.revision, changes: before.snapshot.changes(to: state.snapshot),
          snapshot: state.snapshot, epoch: state.lineage.epoch, previousEpoch: before.lineage.epoch))
    } else if kind == .keyframe {
      message = .keyframe(of: state)
    } else {
      // The revision tells the list at which the origin has the position.
      message = .run(Lineage(of: state.lineage.epoch, since: state.revision))
    }
    return try encoder.line(of: message, kind, origin: origin)
  }

  private nonisolated func encodable(
    _ state: State, since former: State
  ) async -> (list: ListSnapshot<Section, Row>, reason: String)? {
    encoder.encodable(state.snapshot, since: former.snapshot)
  }
}

extension ArchiveEncoder {
  /// Throws for a list that has something new that cannot be encoded.
  func validate(_ list: Snapshot, since former: Snapshot) throws(ArchiveError) {
    if let problem = encodable(list, since: former) { throw .unencodable(reason: problem.reason) }
  }

  /// Looks for rows and sections that cannot be encoded, among the ones that a list has and a former list lacks.
  ///
  /// - Returns: The list without them: they are as in the former list, or absent; and why the first cannot be encoded. `nil` if
  ///   there are none.
  func encodable(_ list: Snapshot, since former: Snapshot) -> (list: Snapshot, reason: String)? {
    let changes = former.changes(to: list)
    var paths = changes.rows.inserts + changes.rows.updates.map(\.to)
    for section in changes.sections.inserts {
      for row in 0..<list.rowCount(inSection: section) { paths.append(RowPath(section: section, row: row)) }
    }
    var (refusedRows, refusedSections): ([Row.ID], [Section.ID]) = ([], [])
    var reason: String?
    for path in paths {
      let row = list.row(at: path)
      let insertion = ListChanges(rows: Changeset(inserts: [RowPath(section: 0, row: 0)]))
      guard let problem = problem(of: insertion, rows: [row]) else { continue }
      reason = reason ?? "row \(row.id): \(problem)"
      refusedRows.append(row.id)
    }
    for index in changes.sections.updates.map(\.to) + changes.sections.inserts {
      let section = list.section(at: index)
      let insertion = ListChanges(sections: Changeset(inserts: [0]))
      guard let problem = problem(of: insertion, sections: [ListSection(section, rows: [])]) else { continue }
      reason = reason ?? "section \(section.id): \(problem)"
      refusedSections.append(section.id)
    }
    guard let reason else { return nil }
    // Made only if there is a problem, as it takes O(n).
    let before = ListDraft(former)
    var draft = ListDraft(list)
    for id in refusedRows {
      guard let path = draft.path(ofRow: id) else { continue }
      if let row = before.find(id)?.row {
        draft.replaceRow(at: path, with: row)
      } else {
        draft.removeRow(at: path)
      }
    }
    for id in refusedSections {
      guard let index = draft.index(ofSection: id) else { continue }
      if let place = before.index(ofSection: id) {
        draft.replaceSection(at: index, with: former.section(at: place))
      } else {
        draft.removeSection(at: index)
      }
    }
    return (draft.snapshot, reason)
  }

  /// The reason why a message that inserts a row or a section cannot be encoded; `nil` if it can.
  private func problem(
    of insertion: ListChanges, sections: [ListSection<Section, Row>] = [], rows: [Row] = []
  ) -> String? {
    let position = ListPosition(epoch: "", revision: 0)
    do {
      _ = try encode(
        .changes(
          WireChanges(from: position, to: position, insertion, insertedSections: sections, insertedRows: rows)))
      return nil
    } catch {
      return Self.reason(of: error)
    }
  }
}

/// The places of the keyframes in an archive, used to keep it short. Offsets and sizes are in bytes.
struct ArchiveLayout: Sendable {
  /// The size of the file.
  private(set) var size = 0
  /// The keyframes at which reading can begin, each with the number of rows and sections in it.
  private(set) var keyframes: [(offset: Int, revision: Int, size: Int, count: Int)] = []

  /// Adds a line with changes, or with a run.
  mutating func addChanges(size: Int) { self.size += size }

  /// Adds a line with the whole list at a revision.
  mutating func addKeyframe(size: Int, revision: Int, count: Int) {
    keyframes.append((self.size, revision, size, count))
    self.size += size
  }

  /// Removes the end of the file, after the last keyframe.
  mutating func cut(to size: Int) {
    self.size = size
    let end = keyframes.last.map { $0.offset + $0.size } ?? 0
    assert(end <= size, "the last keyframe ends at \(end), and the file was cut to \(size) bytes")
  }

  /// About the size of a keyframe with so many rows and sections: at most the size of the last one.
  func estimatedSize(of count: Int) -> Int {
    guard let last = keyframes.last else { return 0 }
    return count >= last.count ? last.size : Int(Double(last.size) * Double(count + 1) / Double(last.count + 1))
  }

  /// True if, with so many bytes more, the lines after the last keyframe are longer than a keyframe of the newest list, which has
  /// so many rows and sections. Short lists wait for some kilobytes.
  func needsKeyframe(after bytes: Int, of count: Int) -> Bool {
    let tail = size + bytes - (keyframes.last.map { $0.offset + $0.size } ?? 0)
    return tail > max(estimatedSize(of: count), 16_384)
  }

  /// The offset from which a compact file keeps the content, so that it has a revision and all later ones.
  ///
  /// - Returns: `nil` while that content is more than half of the file, so that each byte is copied once on average.
  func compactStart(keeping revision: Int) -> Int? {
    guard let first = keyframes.last(where: { $0.revision <= revision }), first.offset >= size / 2 else { return nil }
    return first.offset
  }

  /// Removes the beginning of the file, up to a keyframe.
  mutating func removeBytes(before offset: Int) {
    keyframes.removeAll { $0.offset < offset }
    for index in keyframes.indices { keyframes[index].offset -= offset }
    size -= offset
  }
}
