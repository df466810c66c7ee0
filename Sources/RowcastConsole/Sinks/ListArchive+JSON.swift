#if canImport(RowcastPlatform)
  public import RowcastModel
  public import RowcastSources
  public import RowcastStore

  extension ListArchive {
    /// Opens a file whose lines are in the form of `JSONLine`, or creates it.
    ///
    ///     let archive = try ListArchive<Channel, Message>(at: "channels.jsonl")
    ///     let store = try archive.open()
    ///
    /// - Parameters:
    ///   - path: The path of a regular file. Others are made in its folder.
    ///   - initial: The list at revision 0, if the file is new.
    ///   - history: The former versions that the store keeps; those of earlier runs count, too.
    ///   - durability: The time at which a revision counts as saved.
    ///   - recovering: True if damaged lines are left out; see `rest`.
    ///   - validating: True if an edit throws when it adds something that cannot be encoded. Numbers that are not finite can
    ///     be: they are the strings "nan", "inf" and "-inf".
    ///   - clock: Measures intervals and the age of versions.
    /// - Throws: `ArchiveError`; the file is then unchanged. If only waiting for the device fails, a new file may exist
    ///   already.
    /// - Complexity: O(n + k log n) for n rows and k operations in the file.
    public convenience init(
      at path: String, startingWith initial: ListSnapshot<Section, Row> = .init(), history: ListHistory = .none,
      durability: ArchiveDurability = .written, recovering: Bool = false, validating: Bool = false,
      clock: some Clock<Duration> = ContinuousClock()
    ) throws(ArchiveError) {
      let read = JSONLine.reader(of: WireMessage<Section, Row>.self)
      try self.init(
        at: path, startingWith: initial, history: history, durability: durability, recovering: recovering,
        validating: validating, clock: clock
      ) {
        try JSONLine.encode($0)
      } decode: {
        try read($0)
      }
    }
  }
#endif
