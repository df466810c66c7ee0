import Foundation

/// Nanoseconds of several runs of one thing.
package struct Samples {
  private(set) var sorted: [Double]

  package init(_ samples: [Double]) { sorted = samples.sorted() }

  package var median: Double { sorted[sorted.count / 2] }
  var least: Double { sorted[0] }
  /// The quantile of a share of all samples.
  package func percentile(_ share: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
  /// The middle half of the runs lies this far apart, as a share of the median.
  var spread: Double {
    median > 0 ? (sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / median : 0
  }
}

/// Times several bodies in turn, so that a disturbance of the machine affects all of them.
package enum Stopwatch {
  /// Runs each body in turn, `runs` times, after it was run to warm up.
  ///
  /// Short ones are repeated inside a run, until a run takes about a millisecond.
  package static func alternate(runs: Int, _ bodies: [() -> Void]) -> [Samples] {
    let repeats = bodies.map { body in
      // The first run does not count: nothing that it needs is in a cache.
      var count = 1
      while nanoseconds(of: body, repeated: count) * Double(count) < 500_000 { count *= 2 }
      return count
    }
    var samples = Array(repeating: [Double](), count: bodies.count)
    for _ in 0..<runs {
      for index in bodies.indices {
        samples[index].append(nanoseconds(of: bodies[index], repeated: repeats[index]))
      }
    }
    return samples.map { Samples($0) }
  }

  /// The time of one of several runs in a row.
  static func nanoseconds(of body: () -> Void, repeated count: Int) -> Double {
    nanoseconds { for _ in 0..<count { body() } } / Double(count)
  }

  /// The time of one run.
  @inlinable
  package static func nanoseconds(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    return start.duration(to: .now).nanoseconds
  }

  /// The times of hand-offs: the caller and a task elsewhere pass an element there and back, each over a stream; half of it is one.
  package static func handOffs(_ count: Int, isolation: isolated (any Actor)? = #isolation) async -> Samples {
    let (requests, request) = AsyncStream.makeStream(of: Int.self)
    let (answers, answer) = AsyncStream.makeStream(of: Int.self)
    let other = Task { @concurrent in for await number in requests { answer.yield(number) } }
    defer { other.cancel() }
    var received = answers.makeAsyncIterator()
    var samples: [Double] = []
    for number in 0..<count {
      let start = ContinuousClock.now
      request.yield(number)
      keepAlive(await received.next(isolation: isolation))
      samples.append(start.duration(to: .now).nanoseconds / 2)
    }
    return Samples(samples)
  }
}

extension Duration {
  /// The duration in nanoseconds.
  @inlinable
  package var nanoseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }
}

/// The memory that the process occupies, where the system tells it in `/proc`. Pages, and therefore for much memory only.
package func residentBytes() -> Int? {
  FileManager.default.contents(atPath: "/proc/self/statm")
    .flatMap { String(decoding: $0, as: UTF8.self).split(separator: " ").dropFirst().first }
    .flatMap { Int($0) }.map { $0 * 4_096 }
}

/// The number of times that a thread of the process has stopped to wait, where the system tells it: each time it was woken later.
package func voluntarySwitches() -> Int? {
  let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
  return threads?.reduce(0) { sum, thread in
    let status = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("voluntary") }
    return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
  }
}

/// The seconds that the processors have worked for the process, where the system tells it in `/proc`, in hundredths.
package func processorSeconds() -> Double {
  let line = String(decoding: FileManager.default.contents(atPath: "/proc/self/stat") ?? Data(), as: UTF8.self)
  // The name of the program, in parentheses, may have spaces; the times are the 12th and 13th field after it.
  let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
  return fields.dropFirst(11).prefix(2).reduce(0) { $0 + (Double($1) ?? 0) } / 100
}
