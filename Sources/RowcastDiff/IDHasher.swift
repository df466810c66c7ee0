/// Makes the tags of ids, several at a time.
///
/// A tag is the standard library's hash, seeded for each process: ids that were chosen to collide do not. Several at a
/// time because
///
/// - ids that are not in the cache are fetched all at once, when they are put into the queue;
/// - to finish a hasher copies it, and right after hashing the processor would wait until what the hasher wrote has left
///   its store buffer. It does not if another id is hashed in between: 13 ns in place of 18 for a UUID.
///
/// Copying a fresh hasher is cheaper than making one. Integers and strings have a shorter way of their own, which
/// `hashValue` takes.
///
/// The queue is memory of its own, of which the first `count` elements are initialised; `deinit` gives all back.
@usableFromInline
struct IDHasher<ID: Hashable>: ~Copyable {
  /// An id and the place of its tag.
  @usableFromInline typealias Entry = (id: ID, place: Int)

  /// A hasher that was fed nothing, to copy.
  @usableFromInline let fresh = Hasher()
  @usableFromInline let queue = UnsafeMutablePointer<Entry>.allocate(capacity: 8)
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  deinit {
    queue.deinitialize(count: count)
    queue.deallocate()
  }

  /// The tag of one id: 32 bits of its hash; never 0, which stands for "not computed yet".
  @inlinable
  @inline(__always)
  func tag(of id: ID) -> UInt32 {
    if Self.hasShortWay { return tag(id.hashValue) }
    var hasher = fresh
    id.hash(into: &hasher)
    return tag(hasher.finalize())
  }

  /// Makes the tag of an id, now or together with others.
  @inlinable
  @inline(__always)
  mutating func add(_ id: ID, at place: Int, _ tags: UnsafeMutablePointer<UInt32>) {
    if Self.hasShortWay {
      tags[place] = tag(id.hashValue)
    } else {
      (queue + count).initialize(to: (id, place))
      count &+= 1
      if count == 8 { finish(tags) }
    }
  }

  /// Makes the tags of all ids that still wait.
  @inlinable
  mutating func finish(_ tags: UnsafeMutablePointer<UInt32>) {
    var index = 0
    while index + 1 < count {
      var (left, right) = (fresh, fresh)
      queue[index].id.hash(into: &left)
      queue[index + 1].id.hash(into: &right)
      tags[queue[index].place] = tag(left.finalize())
      tags[queue[index + 1].place] = tag(right.finalize())
      index += 2
    }
    if index < count { tags[queue[index].place] = tag(of: queue[index].id) }
    queue.deinitialize(count: count)
    count = 0
  }

  @inlinable
  @inline(__always)
  static var hasShortWay: Bool { ID.self == Int.self || ID.self == String.self }

  @inlinable
  @inline(__always)
  func tag(_ hash: Int) -> UInt32 { Swift.max(1, UInt32(truncatingIfNeeded: hash)) }
}
