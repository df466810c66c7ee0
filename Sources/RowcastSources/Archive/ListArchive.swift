#if canImport(RowcastPlatform)
  import RowcastDiff
  public import RowcastModel
  public import RowcastStore

  /// A list in a file: a store whose list survives the process.
  ///
  ///     let archive = try ListArchive<Channel, Message>(at: "channels.jsonl", history: .last(1_000)) {
  ///       try JSONEncoder().encode($0)
  ///     } decode: {
  ///       try JSONDecoder().decode(WireMessage.self, from: Data($0))
  ///     }
  ///     let store = try archive.open()  // the list, the revision and the history of the last run
  ///
  /// The file has a message of the wire form on each line: the changes of each revision, and from time to time the whole list,
  /// so that at most about twice the list is read. Lines have a checksum. A file that has become too long for the list and its
  /// history is replaced by a new one.
  ///
  /// Edits wait for nothing. A task writes them; if it is slower than the edits, several revisions share a line. A failure to
  /// write loses nothing: the status reports it, and further attempts follow until one succeeds.
  ///
  /// The archive itself is the list as it is saved, a little behind the store. Serve mirrors from it, as with
  /// `EncodedList(archive)`: then no mirror is ahead of the list with which the next run begins, and each can continue.
  ///
  /// Each time that the file is opened, a new run of the list begins, with an epoch of its own. The file has the lineage of the
  /// list: the epochs of its runs, and the revisions at which they began. So a mirror of any run can continue from a position
  /// that the file has, and gets the whole list for any other, for instance after lines were lost, or the file was restored.
  ///
  /// The file is locked while the archive is open, by a file beside it, whose name ends in `.lock`.
  public final class ListArchive<Section: WireSection, Row: RowViewModel & Codable>: LiveList {
    private let store: ListStore<Section, Row>
    private let writer: ArchiveWriter<Section, Row>
    private let writing: Task<Void, Never>
    /// Measures the pace of a list that the store follows.
    private let clock: AnyClock
    /// The lines that were left out when the file was opened with `recovering`; `nil` if it was not damaged.
    public let rest: ArchiveRest?

    /// Opens a file, or creates it.
    ///
    /// System calls block the thread.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file with one name, or of a symbolic link to one. Other files are made in its folder.
    ///   - initial: The list at revision 0, if the file is new.
    ///   - history: The former versions that the store keeps; versions of earlier runs count, too.
    ///   - durability: The time at which a revision counts as saved.
    ///   - recovering: True if lines that are damaged, or do not follow, are left out. The list continues with the next whole
    ///     list in the file, or, if there is none, remains as it was before the damage. The file is rewritten, and ``rest``
    ///     describes the lines that were left out, which another file keeps. An undamaged line with another version or other
    ///     rows is still an error.
    ///   - validating: True if each edit encodes its new rows and sections, and throws ``ArchiveError/unencodable(reason:)`` if
    ///     one cannot be encoded. Otherwise the list can have such a row: its file then has everything else, the archive stays at
    ///     the list before it, and a failure names the row, until it is removed or can be encoded. Changes of a list that the
    ///     store follows are not checked.
    ///   - clock: Measures intervals and the age of versions.
    ///   - encode: Makes a JSON object from a message, without line breaks. It is called in the task that writes.
    ///   - decode: Reads a message from what `encode` made; there are up to three more fields in it.
    /// - Throws: ``ArchiveError``; the file is then as it was. If only the wait for the device fails, the file may be the new one
    ///   already.
    /// - Complexity: O(n + k log n) for n rows and k operations in the file.
    public init<Bytes: Collection<UInt8> & SendableMetatype>(
      at path: String, startingWith initial: ListSnapshot<Section, Row> = .init(), history: ListHistory = .none,
      durability: ArchiveDurability = .written, recovering: Bool = false, validating: Bool = false,
      clock: some Clock<Duration> = ContinuousClock(),
      encode: @escaping @Sendable (WireMessage<Section, Row>) throws -> Bytes,
      decode: @escaping @Sendable ([UInt8]) throws -> WireMessage<Section, Row>
    ) throws(ArchiveError) {
      let encoder = ArchiveEncoder<Section, Row> { Array(try encode($0)) }
      let isSynced = durability != .written
      let content = ArchiveContent(initial, history: history, isRecovering: recovering, decode: decode)
      let (file, rest) = try ArchiveFile.open(path, isSynced: isSynced) { (bytes, path) throws(ArchiveError) in
        try content.read(bytes, at: path)
        return try content.beginRun(encoder)
      }
      let kept = content.rest
      self.rest = rest.isEmpty ? nil : ArchiveRest(lines: kept.lines, bytes: kept.bytes.count, path: rest)
      let clock = AnyClock(clock)
      let validate: StoreCore<Section, Row>.Validation = { try encoder.validate($0, since: $1) }
      store = ListStore(
        content.newest, after: content.states.dropLast(), isContinued: true, history: history, clock: clock,
        origin: content.origin, validate: validating ? validate : nil)
      if content.states.count > 1 {
        // Versions of former runs expire even if the list does not change in this one.
        Task.detached { [weak core = store.core] in
          if let core { await core.dropStates() }
        }
      }
      writer = ArchiveWriter(
        store.core, content: content, path: file.path, storage: file, durability: durability, clock: clock,
        encoder: encoder)
      writing = Task { [writer] in await writer.run() }
      self.clock = clock
    }

    /// The store of the list, the same each time. It lives as long as the app holds it or the archive.
    ///
    /// - Throws: Nothing at present; the file was read when the archive was created.
    public func open() throws(ArchiveError) -> ListStore<Section, Row> { store }

    /// The store of the list, which follows another list: it keeps the positions of a derived list over a restart, and the list
    /// of a mirror for the time without a connection.
    ///
    ///     let board = try await archive.open(following: orders.arranged(by: plan))
    ///     let lines = EncodedList(archive, every: .milliseconds(50)) { try encoder.encode($0) }
    ///
    /// At first it has the list of the last run. One revision, with the difference, makes it equal to the other list; then it
    /// follows that list until the archive is closed. When the other list ends, the list stays as it is. Do not edit it: the next
    /// change of the other list may undo the edit. Positions, epochs and the lineage belong to this list alone.
    ///
    /// A mirror gets the list of the last run, and the position of its writer: an app without a connection opens with this list,
    /// and asks for the difference once it is connected.
    ///
    ///     let mirror = MirroredList<Channel, Message>()
    ///     try await archive.open(following: mirror)
    ///     let binding = mirror.follow { await socket.messages(since: $0) }
    ///
    /// The mirror has both when the call returns. Each line of the file then has both; a position that moves alone is written,
    /// too. If the file loses lines, both are of an earlier moment. A mirror that has a position already keeps its list, which
    /// the archive takes over in one revision. If no mirror had the list of the file, as after an edit of the store, the mirror
    /// begins with nothing, and the archive keeps its list until the first message.
    ///
    /// - Parameters:
    ///   - list: The list to keep: a list that is still empty because it is loading empties this one, unless it is a
    ///     `MirroredList`. A store or a mirror is not kept alive; a list of another type is, until it ends or the archive is
    ///     closed. It replaces a list that is followed already.
    ///   - pace: The shortest interval between two revisions; not negative. A mirror is followed message by message: it has none.
    /// - Precondition: `pace` is not negative, and zero for a `MirroredList`.
    /// - Returns: The store, as ``open()`` returns it.
    /// - Throws: Nothing at present.
    /// - Complexity: O(n) for the first difference of n rows. Each message of a mirror then costs O(k log n) for k operations.
    @discardableResult
    public func open(
      following list: some LiveList<Section, Row>, every pace: Duration = .zero
    ) async throws(ArchiveError) -> ListStore<Section, Row> {
      require(pace >= .zero, "An archive cannot follow a list every \(pace)")
      await onSharedExecutor { [core = store.core, clock] in
        if let mirror = list as? MirroredList<Section, Row> {
          require(pace == .zero, "An archive follows a mirror message by message, and not every \(pace)")
          await core.follow(mirror)
        } else {
          let updates = list.updatesSincePosition
          await core.follow(updates(nil), every: pace, on: clock, endingWithIt: false, reading: updates)
        }
      }
      return store
    }

    /// Waits until all revisions of the store up to now are saved, in the file that the path leads to.
    ///
    /// If the store follows another list, it first reads the newest state of that list, whatever the pace. It waits at most one
    /// second for the state, and saves what it has then. ``compact()``, ``beginRun()`` and ``close()`` do so, too.
    ///
    /// - Throws: ``ArchiveError`` if the next attempt fails; others follow.
    public func flush() async throws(ArchiveError) {
      try await save()
    }

    /// Waits until the newest revision is saved; with `asRun`, begins a run first.
    private func save(isCompacting: Bool = false, asRun: Bool = false) async throws(ArchiveError) {
      let error = await onSharedExecutor { [writer] in
        if asRun { await writer.core.beginRun() }
        await writer.core.readFollowed()
        return await writer.flush(writer.core.state.revision, isCompacting: isCompacting)
      }
      if let error { throw error }
    }

    /// Rewrites the file with nothing but the newest list: no deleted or former content is in it afterwards. The history
    /// stays in the store, but not for the next run.
    ///
    /// A file that keeps the ``rest`` of a damaged one is not touched.
    ///
    /// - Throws: ``ArchiveError`` if the next attempt fails; others follow.
    /// - Complexity: O(n) for n rows.
    public func compact() async throws(ArchiveError) {
      try await save(isCompacting: true)
    }

    /// Begins a run of the list, as opening the file does: for a process that continues as a copy of itself, like a machine that
    /// was restored from an image. Otherwise both would give the same positions to different lists. A list that has ended, or is
    /// closed, begins no run.
    ///
    /// - Throws: ``ArchiveError`` if the next attempt to save the run fails; others follow.
    public func beginRun() async throws(ArchiveError) {
      try await save(asRun: true)
    }

    /// Finishes the store, saves its last list, and releases the file. The list has not ended: it continues in the next run. If the
    /// store follows another list, it reads the newest state of that one first; see ``flush()``.
    ///
    /// - Throws: ``ArchiveError`` if the last attempt to save the list failed; unsaved revisions are then lost.
    public func close() async throws(ArchiveError) {
      let error = await onSharedExecutor { [writing, writer] in
        await writer.core.readFollowed()
        await writer.core.stop()
        await writing.value
        return await writer.watched.value.error
      }
      if let error { throw error }
    }

    /// The status of the file, and each later one.
    ///
    /// Each call makes an independent stream, which ends after the last status. A slow reader gets the newest one.
    public var statuses: AsyncStream<ArchiveStatus> { writer.values }

    /// The list as it is saved.
    public var snapshot: ListSnapshot<Section, Row> {
      get async { await onSharedExecutor { [writer] in await writer.saved.snapshot } }
    }

    /// The revision of the store up to which the list is saved.
    public var revision: Int {
      get async { await onSharedExecutor { [writer] in await writer.saved.revision } }
    }

    /// The number of revisions of the store that are not saved yet. If it grows, the device is too slow, or full.
    public var lag: Int {
      get async {
        await onSharedExecutor { [writer] in
          // In this order the result is not below zero.
          let saved = await writer.saved.revision
          return await writer.core.state.revision - saved
        }
      }
    }

    /// Watches the list as it is saved; see `ListStore.updates()`.
    public func updates() -> AsyncStream<ListUpdate<Section, Row>> { updates(since: nil) }

    /// Watches the list as it is saved, from a position on; see `ListStore.updates(since:)`.
    public func updates(since position: ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> {
      Subscription(to: writer, startingAt: writer.start(at: position)).stream
    }
  }

  extension ListArchive: CustomStringConvertible, CustomReflectable {
    /// The types of the list, the path of the file, and the epoch of the run that opened it. The epoch of a run that
    /// ``beginRun()`` began, the revision and the rows are read with `await`.
    public var description: String {
      "ListArchive of \(Section.self) and \(Row.self), opened as run \(store.epoch), at \(writer.path)"
    }

    /// That epoch and the path of the file, without the list.
    public var customMirror: Mirror { Mirror(self, children: ["epoch": store.epoch, "path": writer.path]) }
  }

  extension ListArchive: ResumableList {
    package var resumption: @Sendable (ListPosition?) -> Resumption<Section, Row> {
      { [writer] position in
        Resumption(to: writer, startingAt: writer.start(at: position)) {
          await onSharedExecutor { await writer.core.isEnded }
        }
      }
    }
  }

  extension ArchiveWriter {
    /// Finds the state at a position, if it is saved, and the store still has it.
    fileprivate nonisolated func start(at position: ListPosition?) -> @Sendable () async -> ListState<Section, Row>? {
      { await onSharedExecutor { await self.state(at: position) } }
    }

    private func state(at position: ListPosition?) async -> ListState<Section, Row>? {
      guard let position, saved.lineage.contains(position, upTo: saved.revision) else { return nil }
      return position.revision == saved.revision ? saved.at(position) : await core.state(at: position)
    }
  }

  extension ArchiveContent {
    /// Begins a run. Its line is in the file before any of its positions is given out, and replaces the lines of runs that
    /// changed nothing.
    ///
    /// - Returns: The change to the file.
    fileprivate func beginRun(
      _ encoder: ArchiveEncoder<Section, Row>
    ) throws(ArchiveError) -> ArchiveFile.Opening {
      let run = ListPosition(epoch: ListPosition.randomEpoch(), revision: newest.revision)
      var lineage = newest.lineage
      lineage.begin(run.epoch, at: run.revision)
      states[states.count - 1].lineage = lineage.newest(Lineage.longestInFile, andSince: states.first?.revision)
      if isRepaired {
        let line: [UInt8]
        do throws(ArchiveError) { line = try encoder.line(of: .keyframe(of: newest), .keyframe, origin: origin) } catch
        {
          throw encoder.encodable(newest.snapshot, since: .init()).map { .unencodable(reason: $0.reason) } ?? error
        }
        layout = ArchiveLayout()
        layout.addKeyframe(size: line.count, revision: newest.revision, count: newest.snapshot.elementCount)
        writtenEpoch = run.epoch
        return (line, nil, rest.bytes)
      }
      let runs = Array(idle.runs.suffix(Lineage.longestInFile - 1)) + [run]
      var line = try encoder.line(of: .run(Lineage(runs) ?? lineage), .run, origin: origin)
      if !idle.runs.isEmpty { layout.cut(to: idle.size) } else if lacksEnd { line.insert(UInt8(ascii: "\n"), at: 0) }
      defer { layout.addChanges(size: line.count) }
      return (line, layout.size, [])
    }
  }
#endif
