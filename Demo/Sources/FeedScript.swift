import RowcastDiff

/// What one simulated source does, and when.
struct FeedScript: Sendable {
  /// What happens at one moment.
  enum Step: Sendable {
    case event(Event)
    /// The source fails with this text; the steps after it follow when it was attached again.
    case failure(String)
  }

  var name: String
  var title: String
  var steps: [(time: Duration, step: Step)]
}

extension FeedScript {
  /// The scripts of all sources.
  static func all(seed: UInt64) -> [FeedScript] {
    var generator = SplitMix64(seed: seed)
    return [
      messages(&generator), builds(&generator), sensors(&generator),
    ]
  }

  private static let people = ["Ada", "Grace", "Edsger", "Barbara", "Tony", "Radia", "Leslie", "Frances"]
  private static let words = [
    "the build is green again", "who broke the ordering?", "moving this to done", "see the latest numbers",
    "lunch?", "流れるリスト", "shipping on Friday 🚀", "I cannot reproduce it", "now it is fast", "ça marche",
  ]

  /// Bursts of messages; some arrive twice, some late and in the middle, old ones go.
  private static func messages(_ generator: inout SplitMix64) -> FeedScript {
    var steps: [(time: Duration, step: Step)] = []
    var ids: [String] = []
    var time = Duration.milliseconds(50)
    for burst in 0..<9 {
      for _ in 0..<Int.random(in: 2...6, using: &generator) {
        let id = "m\(ids.count + 1)"
        let isLate = !ids.isEmpty && Int.random(in: 0..<6, using: &generator) == 0
        let event = Event.upsert(
          id: id,
          .init(
            section: "messages", title: people.randomElement(using: &generator) ?? "",
            subtitle: words.randomElement(using: &generator) ?? "", index: isLate ? 0 : nil))
        ids.append(id)
        steps.append((time, .event(event)))
        // The same message once more changes nothing.
        if Int.random(in: 0..<5, using: &generator) == 0 { steps.append((time, .event(event))) }
        time += .milliseconds(Int.random(in: 30...160, using: &generator))
      }
      if burst > 2 {
        for id in ids.dropFirst((burst - 3) * 3).prefix(3) { steps.append((time, .event(.delete(id: id)))) }
        // Sometimes a deleted message is deleted again.
        if Int.random(in: 0..<3, using: &generator) == 0, let gone = ids.first {
          steps.append((time, .event(.delete(id: gone))))
        }
      }
      time += .milliseconds(Int.random(in: 500...1_500, using: &generator))
    }
    return FeedScript(name: "messages", title: "Messages", steps: steps)
  }

  /// Builds that go from waiting to running to done, and are retitled on the way.
  private static func builds(_ generator: inout SplitMix64) -> FeedScript {
    var steps: [(time: Duration, step: Step)] = []
    for number in 1...7 {
      let id = "b\(number)"
      var time = Duration.milliseconds(Int.random(in: 0...700, using: &generator) + number * 1_100)
      func fields(_ subtitle: String, index: Int? = nil) -> Event.Fields {
        .init(section: "builds", title: "build \(number)", subtitle: subtitle, kind: "build", index: index)
      }
      steps.append((time, .event(.upsert(id: id, fields("waiting")))))
      for percent in stride(from: 20, through: 100, by: 20) {
        time += .milliseconds(Int.random(in: 150...450, using: &generator))
        let event = Event.upsert(id: id, fields("running \(percent) %", index: 0))
        steps.append((time, .event(event)))
      }
      time += .milliseconds(100)
      let isGreen = Int.random(in: 0..<4, using: &generator) > 0
      steps.append((time, .event(.upsert(id: id, fields(isGreen ? "done ✓" : "failed ✗")))))
      steps.append((time, .event(.move(id: id, section: "history", index: 0))))
    }
    steps.sort { $0.time < $1.time }
    return FeedScript(name: "builds", title: "Builds", steps: steps)
  }

  /// A source that reports often, and fails in the middle.
  private static func sensors(_ generator: inout SplitMix64) -> FeedScript {
    var steps: [(time: Duration, step: Step)] = []
    var time = Duration.milliseconds(20)
    for round in 0..<60 {
      let sensor = Int.random(in: 1...4, using: &generator)
      let value = Int.random(in: 180...260, using: &generator)
      if round == 25 { steps.append((time, .failure("connection reset by peer"))) }
      let event = Event.upsert(
        id: "s\(sensor)",
        .init(
          section: "sensors", title: "sensor \(sensor)", subtitle: "\(value / 10).\(value % 10) °C", kind: "sensor"))
      steps.append((time, .event(event)))
      time += .milliseconds(Int.random(in: 90...260, using: &generator))
    }
    return FeedScript(name: "sensors", title: "Sensors", steps: steps)
  }
}
