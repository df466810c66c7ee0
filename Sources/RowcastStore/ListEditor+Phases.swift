public import RowcastDiff
public import RowcastModel

extension ListEditor where Section: PhasedSection {
  /// Says how a section stands with its source. Its rows stay as they are.
  ///
  /// - Throws: `unknownSection`.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public mutating func setPhase(_ phase: SectionPhase, of id: Section.ID) throws {
    try updateSection(id) { $0.phase = phase }
  }

  /// Says that a section has what its source has: it is `SectionPhase.loaded`, or `SectionPhase.empty` without rows.
  ///
  /// - Throws: `unknownSection`.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public mutating func markLoaded(_ id: Section.ID) throws {
    try setPhase(try end(ofSection: id).row == 0 ? .empty : .loaded, of: id)
  }
}
