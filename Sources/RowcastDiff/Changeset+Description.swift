extension Changeset.Transition: CustomStringConvertible {
  /// Both positions, as in `3→0`.
  public var description: String { "\(from)→\(to)" }
}

extension Changeset: CustomStringConvertible {
  /// The operations, as in `deletes [1], moves [3→0]`.
  public var description: String {
    func part(_ name: String, _ operations: [some CustomStringConvertible]) -> String? {
      operations.isEmpty ? nil : "\(name) [\(operations.map { "\($0)" }.joined(separator: ", "))]"
    }
    let parts = [
      part("deletes", deletes.map { "\($0)" }), part("inserts", inserts.map { "\($0)" }), part("moves", moves),
      part("updates", updates),
    ].compactMap { $0 }
    return parts.isEmpty ? "no changes" : parts.joined(separator: ", ")
  }
}

extension ListChanges: CustomStringConvertible {
  /// The operations, as in `sections: inserts [1]; rows: moves [0-3→1-0]`.
  public var description: String {
    let parts = (sections.isEmpty ? [] : ["sections: \(sections)"]) + (rows.isEmpty ? [] : ["rows: \(rows)"])
    return parts.isEmpty ? "no changes" : parts.joined(separator: "; ")
  }
}
