extension Changeset: CustomStringConvertible {
  /// The operations, as in `deletes [1], moves [3→0]`.
  public var description: String {
    func part(_ name: String, _ operations: [String]) -> String? {
      operations.isEmpty ? nil : "\(name) [\(operations.joined(separator: ", "))]"
    }
    func steps(_ transitions: [Transition]) -> [String] { transitions.map { "\($0.from)→\($0.to)" } }
    let parts = [
      part("deletes", deletes.map { "\($0)" }), part("inserts", inserts.map { "\($0)" }), part("moves", steps(moves)),
      part("updates", steps(updates)),
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
