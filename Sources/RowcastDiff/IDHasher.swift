/// Makes the tags of ids.
///
/// A tag is the standard library's hash, seeded for each process: ids that were chosen to collide do not. Each hasher
/// is finished when the next id is hashed: to finish a hasher copies it, and right after hashing the processor would
/// wait until what the hasher wrote has left its store buffer: 11 ns in place of 17 for a UUID.
///
/// Copying a fresh hasher is cheaper than making one. Integers and strings have a shorter way of their own, which
/// `hashValue` takes.
@usableFromInline
struct IDHasher<ID: Hashable> {
  /// A hasher that was fed nothing, to copy.
  @usableFromInline let fresh = Hasher()

  @inlinable
  init() {}

  /// The tag of one id: 32 bits of its hash; never 0, which stands for "not computed yet".
  @inlinable
  @inline(__always)
  func tag(of id: ID) -> UInt32 {
    if Self.hasShortWay { return tag(id.hashValue) }
    var hasher = fresh
    id.hash(into: &hasher)
    return tag(hasher.finalize())
  }

  /// Makes the tags that some leftovers do not have yet.
  ///
  /// - Parameters:
  ///   - leftovers: The leftovers.
  ///   - range: The indexes of those that get a tag.
  ///   - id: The id at a position.
  @inlinable
  @inline(__always)
  func addTags(to leftovers: borrowing ScratchArray<Leftover>, _ range: Range<Int>, id: (Int) -> ID) {
    if Self.hasShortWay {
      for index in range where leftovers[index].tag == 0 {
        leftovers[index].tag = tag(id(Int(leftovers[index].position)).hashValue)
      }
      return
    }
    var (waiting, hashed) = (-1, fresh)
    for index in range where leftovers[index].tag == 0 {
      var hasher = fresh
      id(Int(leftovers[index].position)).hash(into: &hasher)
      if waiting >= 0 { leftovers[waiting].tag = tag(hashed.finalize()) }
      (waiting, hashed) = (index, hasher)
    }
    if waiting >= 0 { leftovers[waiting].tag = tag(hashed.finalize()) }
  }

  @inlinable
  @inline(__always)
  static var hasShortWay: Bool { ID.self == Int.self || ID.self == String.self }

  @inlinable
  @inline(__always)
  func tag(_ hash: Int) -> UInt32 { max(1, UInt32(truncatingIfNeeded: hash)) }
}
