#if canImport(RowcastPlatform)
  import Foundation
  public import RowcastModel
  public import RowcastSources
  public import RowcastStore

  extension ListArchive {
    /// Opens a file, or creates it, whose lines are written as by `JSONLine`.
    ///
    ///     let archive = try ListArchive<Channel, Message>(at: "channels.jsonl")
    ///     let store = try archive.open()
    ///
    /// - Parameters:
    ///   - path: The path of a regular file. Others are made in its folder.
    ///   - initial: The list at revision 0, if the file is new.
    ///   - epoch: Identifies the list. A file with another epoch is refused.
    ///   - history: The former versions that the store keeps; those of earlier runs count, too.
    ///   - durability: The time at which a revision counts as saved.
    ///   - recovering: True if damaged lines are left out.
    ///   - clock: Measures intervals and the age of versions.
    /// - Throws: `ArchiveError`; the file is then as it was.
    /// - Complexity: O(n + k log n) for n rows and k operations in the file.
    public convenience init(
      at path: String, startingWith initial: ListSnapshot<Section, Row> = .init(), epoch: String? = nil,
      history: ListHistory = .none, durability: ArchiveDurability = .written, recovering: Bool = false,
      clock: some Clock<Duration> = ContinuousClock()
    ) throws(ArchiveError) {
      let decoder = JSONDecoder()
      try self.init(
        at: path, startingWith: initial, epoch: epoch, history: history, durability: durability,
        recovering: recovering, clock: clock
      ) {
        try JSONLine.encode($0)
      } decode: {
        try decoder.decode(WireMessage<Section, Row>.self, from: Data($0))
      }
    }
  }
#endif
