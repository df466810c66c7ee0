/// Compares the stretches of two lists, and hands on what survived.
///
/// - Parameters:
///   - lists: All that is not known to be shared, in the order of the list after the change.
///   - key: How elements are identified and compared.
///   - body: Gets the matching.
/// - Returns: What the body returns.
@inlinable
@inline(__always)
func withMatching<Key: Identification, Lists: StretchList, Result>(
  of lists: Lists, _ key: Key, _ body: (inout Matching) -> Result
) -> Result where Lists.Element == Key.Element {
  withScratch { scratch in
    var segments = scratch.array(of: Segment.self)
    segments.begin()
    for stretch in 0..<lists.stretchCount { segments.add(lists.extent(of: stretch)) }
    var matching = Matching(segments, &scratch)
    Matcher(key, lists).match(&matching)
    return body(&matching)
  }
}

/// Compares two flat lists, and hands on what survived.
@inlinable
@inline(__always)
func withMatching<Key: Identification, Result>(
  of old: some RandomAccessCollection<Key.Element>, _ new: some RandomAccessCollection<Key.Element>, _ key: Key,
  _ body: (inout Matching) -> Result
) -> Result {
  withLentElements(of: old) { old in
    withLentElements(of: new) { new in
      let extent = StretchExtent(count: IndexPair(old: old.count, new: new.count))
      return unsafe withUnsafePointer(to: LentStretch(old: old, new: new, extent: extent)) {
        unsafe withMatching(of: LoneStretch($0), key, body)
      }
    }
  }
}
