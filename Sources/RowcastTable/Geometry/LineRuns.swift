/// Rows next to each other that have the same height.
struct RowRun: LineRun, Equatable {
  var count: Int
  /// The lines of each row.
  var height: Int

  var lines: Int { count * height }

  func split(at offset: Int) -> (RowRun, RowRun) {
    (RowRun(count: offset, height: height), RowRun(count: count - offset, height: height))
  }

  func shrunk(by elements: Int) -> RowRun? {
    elements < count ? RowRun(count: count - elements, height: height) : nil
  }

  func merged(with next: RowRun) -> RowRun? {
    next.height == height ? RowRun(count: count + next.count, height: height) : nil
  }
}

/// A section with the lines of its header, its rows and its footer.
struct SectionBlock: LineRun {
  /// The lines of the header; 0 for none.
  var header: Int
  var rows: RunTree<RowRun>
  /// The lines of the footer; 0 for none.
  var footer: Int

  var count: Int { 1 }
  var lines: Int { header + rows.lines + footer }

  func split(at offset: Int) -> (SectionBlock, SectionBlock) { preconditionFailure("A section has no parts") }

  func shrunk(by elements: Int) -> SectionBlock? { nil }

  func merged(with next: SectionBlock) -> SectionBlock? { nil }
}
