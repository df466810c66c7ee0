/// The places of the keyframes in an archive, by which it is kept short. Offsets and sizes are in bytes.
struct ArchiveLayout: Equatable, Sendable {
  /// A keyframe that reading can begin with.
  struct Keyframe: Equatable, Sendable {
    var offset: Int
    var revision: Int
    /// Its size.
    var size: Int
    /// The number of rows and sections in it.
    var count: Int
  }

  /// The size of the file.
  private(set) var size = 0
  private(set) var keyframes: [Keyframe] = []

  /// Adds a line with changes, or with a run.
  mutating func addChanges(size: Int) { self.size += size }

  /// Adds a line with the whole list at a revision.
  mutating func addKeyframe(size: Int, revision: Int, count: Int) {
    keyframes.append(Keyframe(offset: self.size, revision: revision, size: size, count: count))
    self.size += size
  }

  /// Removes the end of the file, after the last keyframe.
  mutating func cut(to size: Int) { self.size = size }

  /// About the size of a keyframe with so many rows and sections: at most that of the last one.
  func estimatedSize(of count: Int) -> Int {
    guard let last = keyframes.last else { return 0 }
    return count >= last.count ? last.size : Int(Double(last.size) * Double(count + 1) / Double(last.count + 1))
  }

  /// True if, with so many bytes more, what follows the last keyframe is longer than one of the newest list, which has so many
  /// rows and sections. Short lists wait for some kilobytes.
  func needsKeyframe(after bytes: Int, of count: Int) -> Bool {
    let tail = size + bytes - (keyframes.last.map { $0.offset + $0.size } ?? 0)
    return tail > max(estimatedSize(of: count), 16_384)
  }

  /// The offset from which a compact file keeps the content, so that it has a revision and all that follow.
  ///
  /// - Returns: `nil` while that is more than half of the file, so that each byte is copied once on average.
  func compactStart(keeping revision: Int) -> Int? {
    guard let first = keyframes.last(where: { $0.revision <= revision }), first.offset >= size / 2 else { return nil }
    return first.offset
  }

  /// Takes off the beginning of the file, up to a keyframe.
  mutating func removeBytes(before offset: Int) {
    keyframes.removeAll { $0.offset < offset }
    for index in keyframes.indices { keyframes[index].offset -= offset }
    size -= offset
  }
}
