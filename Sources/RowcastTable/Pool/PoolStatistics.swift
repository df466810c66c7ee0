/// Counts the cells of one reuse identifier, or of all.
///
/// Always `created == visible + prefetched + pooled + discarded`: a cell is in exactly one place.
public struct PoolStatistics: Hashable, Sendable, Codable {
  /// Cells that were made because the pool was empty: the misses.
  public internal(set) var created = 0
  /// Cells that the pool provided.
  public internal(set) var hits = 0
  /// Cells that are configured for rows near the screen.
  public internal(set) var prefetched = 0
  /// Cells that are in the pool.
  public internal(set) var pooled = 0
  /// Cells that were let go because the pool was full or drained.
  public internal(set) var discarded = 0

  /// Cells that were asked for: hits and misses.
  package var dequeues: Int { hits + created }
  /// Cells that are on the screen.
  public var visible: Int { created - prefetched - pooled - discarded }

  /// Creates empty statistics.
  package init() {}

  /// The sums of two statistics.
  package static func + (lhs: PoolStatistics, rhs: PoolStatistics) -> PoolStatistics {
    var sum = lhs
    sum.created += rhs.created
    sum.hits += rhs.hits
    sum.prefetched += rhs.prefetched
    sum.pooled += rhs.pooled
    sum.discarded += rhs.discarded
    return sum
  }
}
