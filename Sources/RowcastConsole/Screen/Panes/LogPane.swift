/// The latest operations, the newest at the bottom.
struct LogPane {
  let entries: [OperationLog.Entry]

  func lines(columns: Int, height: Int) -> [StyledLine] {
    guard height > 0 else { return [] }
    let latest = entries.suffix(height - 1)
    // Revisions stand under each other, whatever their length.
    let digits = latest.map { String($0.revision).count }.max() ?? 0
    return [StyledLine("operations", .strong, columns: columns)]
      + latest.map { entry in
        var line = StyledLine(columns: columns)
        line.append(" \("#\(entry.revision)".padded(toColumns: digits + 1, trailing: true)) ", .faint)
        line.append("\(entry.mark.sign)", entry.mark.style)
        line.append(" \(entry.text)")
        return line
      }
  }
}
