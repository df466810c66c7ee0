/// The members of groups, of which most have one.
@usableFromInline
struct MemberTable<Key: Hashable, Member: Hashable> {
  /// One member of each group.
  @usableFromInline var first: [Key: Member]
  /// The other members of groups that have several.
  @usableFromInline var others: [Key: Set<Member>] = [:]

  @inlinable
  init(minimumCapacity: Int) { first = Dictionary(minimumCapacity: minimumCapacity) }

  @inlinable
  mutating func insert(_ member: Member, into key: Key) {
    if first[key] == nil { first[key] = member } else { others[key, default: []].insert(member) }
  }

  @inlinable
  mutating func remove(_ member: Member, from key: Key) {
    guard first[key] == member else {
      others[key]?.remove(member)
      return
    }
    first[key] = others[key]?.popFirst()
  }

  /// The members of a group, in no order.
  @inlinable
  func members(of key: Key) -> [Member] {
    guard let member = first[key] else { return [] }
    return [member] + (others[key] ?? [])
  }
}
