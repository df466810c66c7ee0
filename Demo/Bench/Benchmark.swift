package import RowcastDiff

/// One workload under a name, with what is needed to make its data.
package struct Benchmark: Sendable {
  /// The name, with its group before the slash.
  let name: String
  /// The number of rows before the change.
  let rows: Int
  /// Makes the data. The same name gives the same data every time.
  let prepare: @Sendable (_ random: inout SplitMix64) -> BenchSubject

  /// Creates a benchmark.
  package init(name: String, rows: Int, prepare: @escaping @Sendable (_ random: inout SplitMix64) -> BenchSubject) {
    (self.name, self.rows, self.prepare) = (name, rows, prepare)
  }

  /// Makes the data, measures, and lets the data go.
  func run() -> BenchReport {
    // Every benchmark has random numbers of its own, so that a filter does not change the data.
    var random = SplitMix64(seed: name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    return BenchReport(self, prepare(&random))
  }
}

/// What a benchmark measures, with its data at hand.
package struct BenchSubject {
  /// The measured code. Returns the number of moves.
  let measured: () -> Int
  /// The yardsticks of the same run: the time of building a `Set` of the old ids…
  let setBuild: () -> Void
  /// … and of comparing both lists once with `==`.
  let equality: () -> Void
  /// The standard library on the same data; nothing where that takes seconds.
  let standardLibrary: (() -> Void)?

  /// Creates a subject.
  package init(
    measured: @escaping () -> Int, setBuild: @escaping () -> Void, equality: @escaping () -> Void,
    standardLibrary: (() -> Void)?
  ) {
    (self.measured, self.setBuild, self.equality) = (measured, setBuild, equality)
    self.standardLibrary = standardLibrary
  }
}

/// Keeps the optimiser from leaving out what is not read.
@inlinable
@inline(never)
package func keepAlive<Value>(_ value: Value) {}
