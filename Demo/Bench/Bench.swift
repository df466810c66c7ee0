import RowcastPlatform

/// `demo bench`: measures the library from outside, as an app would use it.
///
/// The benchmarks are in several modules, and the code that runs them in another one. Each module takes a good part of a build,
/// because the library is specialised for its types of rows and sections, and modules are compiled in parallel.
package enum Bench {
  /// Benchmarks that are reported alike.
  package enum Group: Sendable {
    case differences([Benchmark])
    case events([EventBenchmark])

    var names: [String] {
      switch self {
      case .differences(let benchmarks): benchmarks.map(\.name)
      case .events(let benchmarks): benchmarks.map(\.name)
      }
    }
  }

  /// Runs the benchmarks and prints what they took.
  ///
  /// - Parameters:
  ///   - groups: All there is to measure, in order.
  ///   - filter: Text that the names of the benchmarks contain; nothing for all except the benchmarks of 10,000,000 rows, which
  ///     run only if the text contains "10m".
  ///   - json: Whether to print one JSON object a line in place of a table.
  /// - Returns: The exit code: 0, or 2 if no name contains the filter.
  package static func run(_ groups: [Group], filter: String?, json: Bool) async -> Int32 {
    // Lists of that size take minutes and gigabytes.
    let isLarge = filter?.contains("10m") ?? false
    func isChosen(_ name: String) -> Bool {
      (filter.map { name.contains($0) } ?? true) && (isLarge || !name.hasSuffix("-10m"))
    }
    let chosen = groups.flatMap(\.names).filter(isChosen)
    guard !chosen.isEmpty else {
      let names = groups.flatMap(\.names).joined(separator: "\n")
      say("no benchmark has \"\(filter ?? "")\" in its name; there are:\n\(names)")
      return 2
    }
    if isUnoptimised { say("built without optimisation: use swift run -c release demo bench") }
    do {
      for group in groups { try await run(group, isChosen, json) }
      return 0
    } catch {
      return error == .closed ? 0 : 1
    }
  }

  /// Stops the bench: an event that fails would be measured as a cheap one.
  package static func stop(at error: any Error) -> Never {
    preconditionFailure("An event of the bench failed: \(error)")
  }

  /// Says something on standard error, each line with the name of the command.
  private static func say(_ text: String) {
    let lines = text.split(separator: "\n").map { "demo: \($0)\n" }.joined()
    // A closed standard error loses what is not essential.
    try? Platform.write(lines.utf8, to: Platform.standardError)
  }

  private static func run(_ group: Group, _ isChosen: (String) -> Bool, _ json: Bool) async throws(SystemError) {
    switch group {
    case .differences(let benchmarks):
      let chosen = benchmarks.filter { isChosen($0.name) }
      if !json, !chosen.isEmpty { try output(BenchReport.header) }
      for benchmark in chosen {
        progress(benchmark.name)
        let report = benchmark.run()
        try output(json ? report.json : report.tableLine)
      }
    case .events(let benchmarks):
      for benchmark in benchmarks where isChosen(benchmark.name) {
        progress(benchmark.name)
        let report = await benchmark.run()
        // A store of a million rows takes a while to release: the next benchmark must not share the processor with that.
        try? await Task.sleep(for: .milliseconds(200))
        try output(json ? report.json(name: benchmark.name) : report.line(name: benchmark.name))
      }
    }
  }

  /// Names the running benchmark, for a person whose output is redirected.
  private static func progress(_ name: String) {
    if Platform.isTerminal(Platform.standardError), !Platform.isTerminal(Platform.standardOutput) {
      say(name)
    }
  }

  private static func output(_ line: String) throws(SystemError) {
    try Platform.write((line + "\n").utf8, to: Platform.standardOutput)
  }

  /// Whether assertions are checked, as they are in debug builds.
  private static var isUnoptimised: Bool {
    var isChecked = false
    assert(
      {
        isChecked = true
        return true
      }())
    return isChecked
  }
}
