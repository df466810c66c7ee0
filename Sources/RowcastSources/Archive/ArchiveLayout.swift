/// The places of the keyframes in an archive, by which it is kept short. Offsets and sizes are in bytes.
struct ArchiveLayout: Equatable, Sendable {
  /// A keyframe that reading can begin with.
  struct Keyframe: Equatable, Sendable {
    var offset: Int
    var revision: Int
  }

  /// The size of the file.
  private(set) var size = 0
  private(set) var keyframes: [Keyframe] = []
  /// The size of the last keyframe.
  private var keyframeSize = 0

  /// Adds a line with changes.
  mutating func addChanges(size: Int) { self.size += size }

  /// Adds a line with the whole list at a revision.
  mutating func addKeyframe(size: Int, revision: Int) {
    keyframes.append(Keyframe(offset: self.size, revision: revision))
    keyframeSize = size
    self.size += size
  }

  /// True if, with so many bytes more, what follows the last keyframe is longer than it. Short lists wait for some kilobytes.
  func needsKeyframe(after count: Int) -> Bool {
    let tail = size + count - (keyframes.last?.offset ?? 0) - keyframeSize
    return tail > max(keyframeSize, 16_384)
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
    keyframes = keyframes.filter { $0.offset >= offset }
      .map { Keyframe(offset: $0.offset - offset, revision: $0.revision) }
    size -= offset
  }
}
