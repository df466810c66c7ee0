import RowcastDiff

/// A conversation: its history, and new messages.
struct ChatScript: Sendable {
  /// Something that happens at one moment.
  typealias Step = (time: Duration, event: Event)

  /// The pages of the history, the newest first; each from its oldest message to its newest.
  let history: [[Item]]
  /// What happens while one watches.
  let steps: [Step]

  static let section = "chat"

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    history = (0..<4).map { page in (0..<8).map { Self.message(-8 * page - 8 + $0, &random) } }
    steps = Self.steps(&random)
  }

  /// A page of the history as an event: its messages in front of all others.
  func event(page: Int) -> Event {
    .batch(history[page].enumerated().map { index, item in Self.upsert(item, index: index) })
  }

  // MARK: - What is said

  private static let people = ["Ada", "Grace", "Edsger", "Barbara", "Radia"]
  private static let texts = [
    "hello!", "did you see the numbers?", "which ones?\nthe old or the new?", "流れるリスト", "lunch?",
    "it scrolls now,\nand nothing jumps", "ship it 🚀", "ça marche", "one moment", "what did I miss?",
  ]
  private static let images = ["cat.png", "graph.png", "lunch.jpg", "whiteboard.jpg"]
  private static let videos = ["demo.mp4  0:42", "talk.mp4  31:07"]

  private static func message(_ number: Int, _ random: inout SplitMix64) -> Item {
    let author = people.randomElement(using: &random) ?? ""
    // The newest kind of message is rare in old ones.
    let (kind, content) =
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2: ("image", images.randomElement(using: &random))
      case 3 where number > 0: ("video", videos.randomElement(using: &random))
      default: ("text", texts.randomElement(using: &random))
      }
    return Item(id: "m\(number)", title: author, subtitle: content ?? "", kind: kind)
  }

  /// Messages, most of them announced by a typing row. Something of everything is among them.
  private static func steps(_ random: inout SplitMix64) -> [Step] {
    var steps: [Step] = []
    var time = Duration.milliseconds(600)
    for number in 1...16 {
      var message = message(number, &random)
      if number == 3 { message = Item(id: "m3", title: "Grace", subtitle: images[0], kind: "image") }
      if number == 5 { message = Item(id: "m5", title: "Ada", subtitle: videos[0], kind: "video") }
      if number % 3 != 1 {
        let typing = Item(id: "typing \(message.title)", title: message.title, kind: "typing")
        steps.append((time, upsert(typing)))
        time += .milliseconds(Int.random(in: 500...1_200, using: &random))
        steps.append((time, .batch([.delete(id: typing.id), upsert(message)])))
      } else {
        steps.append((time, upsert(message)))
      }
      time += .milliseconds(Int.random(in: 300...900, using: &random))
    }
    return steps
  }

  private static func upsert(_ item: Item, index: Int? = nil) -> Event {
    .upsert(
      id: item.id,
      .init(section: section, title: item.title, subtitle: .some(item.subtitle), kind: item.kind, index: index))
  }
}
