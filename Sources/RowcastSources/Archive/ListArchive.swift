#if canImport(RowcastPlatform)
  public import RowcastModel
  public import RowcastStore

  /// A list in a file: a store whose list survives the process.
  ///
  ///     let archive = try ListArchive<Channel, Message>(at: "channels.jsonl", history: .last(1_000)) {
  ///       try JSONEncoder().encode($0)
  ///     } decode: {
  ///       try JSONDecoder().decode(WireMessage.self, from: Data($0))
  ///     }
  ///     let store = try archive.open()  // the list, the epoch, the revision and the history of the last run
  ///
  /// The file has a message of the wire form on each line: the changes of each revision, and from time to time the whole list,
  /// so that no more is read than about twice the list. Lines carry a checksum. A new file takes the place of one that has become
  /// too long for the list and its history.
  ///
  /// Edits wait for nothing. A task writes them; if it is slower than they are, several revisions share a line. A failure to write
  /// loses nothing: the status tells it, and further attempts follow until one succeeds.
  ///
  /// The archive itself is the list as it is saved, a little later than that of the store. Serve mirrors from it, as by
  /// `EncodedList(archive)`: then no mirror is ahead of the list that the next run begins with, and each can go on.
  ///
  /// The file is locked while the archive is open, by a file beside it, whose name ends in `.lock`.
  public final class ListArchive<Section: WireSection, Row: RowViewModel & Codable>: LiveList {
    private let store: ListStore<Section, Row>
    private let board: ArchiveBoard<Section, Row>
    private let writing: Task<Void, Never>

    /// Opens a file, or creates it.
    ///
    /// The calls of the system block the thread.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file. Others are made in its folder.
    ///   - initial: The list at revision 0, if the file is new.
    ///   - epoch: Identifies the list; see `ListStore`. A file with another epoch is refused.
    ///   - history: The former versions that the store keeps; those of earlier runs count, too.
    ///   - durability: The time at which a revision counts as saved.
    ///   - recovering: True if damaged lines are left out. The list goes on with the next whole list in the file, or, if there is
    ///     none, remains as it was before the damage, with another epoch. The file is written anew; copy it before.
    ///   - clock: Measures intervals and the age of versions.
    ///   - encode: Makes a JSON object of a message, without line breaks. It is called in the task that writes.
    ///   - decode: Reads a message from what `encode` made; there are two more fields in it.
    /// - Throws: ``ArchiveError``; the file is then as it was.
    /// - Complexity: O(n + k log n) for n rows and k operations in the file.
    public init<Bytes: Collection<UInt8> & SendableMetatype>(
      at path: String, startingWith initial: ListSnapshot<Section, Row> = .init(), epoch: String? = nil,
      history: ListHistory = .none, durability: ArchiveDurability = .written, recovering: Bool = false,
      clock: some Clock<Duration> = ContinuousClock(),
      encode: @escaping @Sendable (WireMessage<Section, Row>) throws -> Bytes,
      decode: @escaping @Sendable ([UInt8]) throws -> WireMessage<Section, Row>
    ) throws(ArchiveError) {
      let reader = ArchiveReader<Section, Row>(history: history, isRecovering: recovering, decode: decode)
      let encode: @Sendable (WireMessage<Section, Row>) throws -> [UInt8] = { Array(try encode($0)) }
      let isSynced = durability != .written
      let (file, content) = try ArchiveFile.open(path, isSynced: isSynced) { (bytes) throws(ArchiveError) in
        let found = try reader.read(bytes)
        if let epoch, let found, found.epoch != epoch { throw .otherList(epoch: found.epoch) }
        var content = found ?? ArchiveContent(initial, epoch: epoch ?? ListPosition.randomEpoch())
        if content.isBehind { content.epoch = ListPosition.randomEpoch() }
        let replacement = try found == nil || content.isRepaired ? content.compact(encode) : nil
        return (content, content.layout.size, replacement)
      }
      let newest = content.newest
      store = ListStore(
        newest, after: content.states.dropLast(), epoch: content.epoch, history: history, clock: clock)
      board = ArchiveBoard(newest, epoch: content.epoch)
      let writer = ArchiveWriter(
        store.core, board: board, storage: file, newest: newest, layout: content.layout, durability: durability,
        clock: clock, encode: encode)
      writing = Task { await writer.run() }
    }

    /// The store of the list, the same each time. It lives as long as the app holds it or the archive.
    ///
    /// - Throws: Nothing at present; the file was read when the archive was created.
    public func open() throws(ArchiveError) -> ListStore<Section, Row> { store }

    /// Waits until all revisions of the store up to now are saved.
    ///
    /// - Throws: ``ArchiveError`` if the next attempt fails; others follow.
    public func flush() async throws(ArchiveError) {
      let revision = await store.revision
      if let error = await onSharedExecutor({ [board] in await board.flush(revision) }) { throw error }
    }

    /// Finishes the store, saves its last list, and gives the file free.
    ///
    /// - Throws: ``ArchiveError`` if the last attempt to save it failed; what was not saved is then lost.
    public func close() async throws(ArchiveError) {
      await store.finish()
      await writing.value
      if let error = await onSharedExecutor({ [board] in await board.watched.value.error }) { throw error }
    }

    /// The status of the file, and each later one.
    ///
    /// Each call makes an independent stream, which ends after the last status. A slow reader gets the newest one.
    public var statuses: AsyncStream<ArchiveStatus> { board.values }

    /// The list as it is saved.
    public var snapshot: ListSnapshot<Section, Row> {
      get async { await onSharedExecutor { [board] in await board.state.snapshot } }
    }

    /// The revision of the store up to which the list is saved.
    public var revision: Int {
      get async { await onSharedExecutor { [board] in await board.state.revision } }
    }

    /// Watches the list as it is saved; see `ListStore.updates()`.
    public func updates() -> AsyncStream<ListUpdate<Section, Row>> { updates(since: nil) }

    /// Watches the list as it is saved, from a position on; see `ListStore.updates(since:)`.
    public func updates(since position: ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> { resumption(position) }
  }

  extension ListArchive: ResumableList {
    package var resumption: @Sendable (ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> {
      { [board, core = store.core] position in
        Subscription(to: board) { await onSharedExecutor { await board.state(at: position, of: core) } }.stream
      }
    }
  }

  extension ArchiveBoard {
    /// The state at a position, if it is saved, and the store still has it.
    fileprivate func state(
      at position: ListPosition?, of core: StoreCore<Section, Row>
    ) async -> ListState<Section, Row>? {
      guard let position, position.epoch == epoch, position.revision <= state.revision else { return nil }
      return position.revision == state.revision ? state : await core.state(at: position)
    }
  }

  extension ArchiveContent {
    /// A list that is in no file yet.
    fileprivate init(_ initial: ListSnapshot<Section, Row>, epoch: String) {
      self.init(epoch: epoch, states: [State(snapshot: initial.begun, revision: 0)], layout: ArchiveLayout())
    }

    /// The bytes of a file with the newest list only.
    fileprivate mutating func compact(
      _ encode: (WireMessage<Section, Row>) throws -> [UInt8]
    ) throws(ArchiveError) -> [UInt8] {
      let message: [UInt8]
      do { message = try encode(.keyframe(of: newest, epoch: epoch)) } catch {
        throw .unencodable(reason: "\(error)")
      }
      let line = try ArchiveLine.line(of: message, isKeyframe: true)
      layout = ArchiveLayout()
      layout.addKeyframe(size: line.count, revision: newest.revision)
      return line
    }
  }
#endif
