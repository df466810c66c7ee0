package import RowcastDemoBench

/// The benchmarks of differences, stores, streams, tables, mirrors and archives.
package enum ListBenchmarks {
  /// In the order in which they run. A new group is one more line.
  package static let groups: [Bench.Group] = [
    // First, before there is memory of others to reuse.
    .events(StoreBenchmarks.memory + WireBenchmarks.memory),
    .differences(DiffBenchmarks.ids), .differences(DiffBenchmarks.rows), .differences(DiffBenchmarks.small),
    .events(StreamBenchmarks.all), .events(StoreBenchmarks.all), .events(TableBenchmarks.all),
    .events(WireBenchmarks.all), .events(ArchiveBenchmarks.all),
  ]
}
