import Foundation

/// What a benchmark took.
struct BenchReport {
  let name: String
  let rows: Int
  let runs: Int
  let moves: Int
  let measured: Samples
  let setBuild: Samples
  let equality: Samples
  /// Nanoseconds of the standard library; nothing where it was left out.
  let standardLibrary: Double?

  /// Measures.
  init(_ benchmark: Benchmark, _ subject: BenchSubject) {
    name = benchmark.name
    rows = benchmark.rows
    runs = benchmark.rows >= 1_000_000 ? 5 : 9
    moves = subject.measured()
    let samples = Stopwatch.alternate(
      runs: runs, [{ keepAlive(subject.measured()) }, subject.setBuild, subject.equality])
    measured = samples[0]
    setBuild = samples[1]
    equality = samples[2]
    standardLibrary = subject.standardLibrary.map { Stopwatch.nanoseconds(of: $0, repeated: 1) }
  }

  /// How many times the building of a `Set` it took.
  var ratio: Double { measured.median / setBuild.median }

  /// One JSON object, with its keys in order.
  var json: String {
    let fields: [String: String] = [
      "bench": "\"\(name)\"",
      "n": "\(rows)",
      "runs": "\(runs)",
      "median_ns": Self.integer(measured.median),
      "min_ns": Self.integer(measured.least),
      "spread": Self.fraction(measured.spread),
      "set_build_ns": Self.integer(setBuild.median),
      "ratio_set_build": Self.fraction(ratio),
      "equality_ns": Self.integer(equality.median),
      "stdlib_ns": standardLibrary.map(Self.integer) ?? "null",
      "moves": "\(moves)",
    ]
    return "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  /// The heading of the table for people.
  static let header = line([
    "bench", "n", "median µs", "min µs", "spread", "Set µs", "ratio", "== µs", "stdlib µs", "moves",
  ])

  /// One line of that table.
  var tableLine: String {
    Self.line([
      name, "\(rows)", Self.microseconds(measured.median), Self.microseconds(measured.least),
      String(format: "%.0f %%", measured.spread * 100), Self.microseconds(setBuild.median),
      Self.fraction(ratio), Self.microseconds(equality.median), standardLibrary.map(Self.microseconds) ?? "–",
      "\(moves)",
    ])
  }

  private static func line(_ columns: [String]) -> String {
    let widths = [28, 8, 11, 11, 7, 11, 8, 10, 11, 8]
    let padded = zip(columns, widths).enumerated().map { index, column in
      let space = String(repeating: " ", count: max(0, column.1 - column.0.count))
      return index == 0 ? column.0 + space : space + column.0
    }
    return padded.joined(separator: " ")
  }

  private static func integer(_ value: Double) -> String { String(format: "%.0f", value) }
  private static func microseconds(_ value: Double) -> String { String(format: "%.1f", value / 1_000) }
  private static func fraction(_ value: Double) -> String { String(format: "%.4f", value) }
}
