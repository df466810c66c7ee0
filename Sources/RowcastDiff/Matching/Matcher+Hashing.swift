extension Matcher {
  /// The tag of an id: 32 bits of its hash; never 0, which means "not computed yet".
  ///
  /// The standard library seeds hashes for each process: ids that were chosen to collide do not.
  @inlinable
  @inline(__always)
  func tag(of id: Key.ID) -> UInt32 { tag(id.hashValue) }

  @inlinable
  @inline(__always)
  func tag(_ hash: Int) -> UInt32 { max(1, UInt32(truncatingIfNeeded: hash)) }

  /// Makes the tags that some unmatched elements do not have yet.
  ///
  /// Each hasher is finished when the next id is hashed: right after hashing, finishing would wait for the store buffer, and a
  /// UUID would take 17 ns instead of 11. Integers and strings have a faster `hashValue`.
  ///
  /// - Parameters:
  ///   - unmatched: The unmatched elements.
  ///   - range: The indexes of those that get a tag.
  ///   - id: The id at a position.
  @inlinable
  @inline(__always)
  func addTags(to unmatched: borrowing ScratchArray<UnmatchedElement>, _ range: Range<Int>, id: (Int) -> Key.ID) {
    let fresh = Hasher()
    var (waiting, hashed) = (-1, fresh)
    for index in range where unmatched[index].tag == 0 {
      let id = id(Int(unmatched[index].position))
      if Key.ID.self == Int.self || Key.ID.self == String.self {
        unmatched[index].tag = tag(of: id)
        continue
      }
      var hasher = fresh
      id.hash(into: &hasher)
      if waiting >= 0 { unmatched[waiting].tag = tag(hashed.finalize()) }
      (waiting, hashed) = (index, hasher)
    }
    if waiting >= 0 { unmatched[waiting].tag = tag(hashed.finalize()) }
  }
}
