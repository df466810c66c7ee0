import Rowcast
import RowcastConsole

/// Shows an image, which arrives some time after the cell has asked for it.
final class ImageMessageCell: Cell, RowCell, ConsoleDrawable {
  static let preferredHeight = 3
  var loader: ImageLoader?
  private(set) var texts: [ConsoleText] = []
  private var message: (author: String, name: String) = ("", "")

  func configure(with row: FileMessage) {
    message = (row.author, row.name)
    show(["loading \(row.name) …"])
    loader?.load(row.name, for: token)
  }

  override func prepareForReuse() { texts = [] }

  /// Shows the image that has arrived.
  func show(_ lines: [String]) {
    texts = lines.enumerated().map { ConsoleText($0.offset == 0 ? message.author : "", subtitle: $0.element) }
  }
}

/// Loads images for cells. A cell that shows another row by then does not get to see the image.
final class ImageLoader: Sendable {
  private struct Request: Sendable {
    let name: String
    let token: ReuseToken
  }

  /// Takes an image to its cell in the table, or nowhere if that shows another row.
  typealias Delivery = ConsoleApp<Group, Item>.TableWork

  /// The images that have been loaded, for the owner of the table.
  let deliveries: AsyncStream<Delivery>
  private let delivery: AsyncStream<Delivery>.Continuation
  private let requests: AsyncStream<Request>
  private let request: AsyncStream<Request>.Continuation
  /// For each image, true if it was shown.
  private let (outcomes, outcome) = AsyncStream.makeStream(of: Bool.self)

  init() {
    (deliveries, delivery) = AsyncStream.makeStream(of: Delivery.self)
    (requests, request) = AsyncStream.makeStream(of: Request.self)
  }

  /// Asks for an image. It arrives later, or never.
  func load(_ name: String, for token: ReuseToken) { request.yield(Request(name: name, token: token)) }

  /// Loads what is asked for, until the task is cancelled.
  ///
  /// - Parameter delay: How long an image takes; photographs take ten times as long.
  func run(delay: Duration) async {
    await withDiscardingTaskGroup { group in
      for await request in requests {
        group.addTask {
          let delay = request.name.hasSuffix(".jpg") ? delay * 10 : delay
          guard (try? await Task.sleep(for: delay)) != nil else { return }
          self.finish(request)
        }
      }
    }
  }

  /// Ends the counts of the images that were shown, and of the images whose cell showed another row by then.
  func finalCounts() async -> (shown: Int, dropped: Int) {
    outcome.finish()
    var counts = (shown: 0, dropped: 0)
    for await isShown in outcomes { if isShown { counts.shown += 1 } else { counts.dropped += 1 } }
    return counts
  }

  private func finish(_ request: Request) {
    let picture = ["▒▓█ \(request.name)", "▓█▓▒░▒▓", "█▓▒░▒▓█"]
    delivery.yield { [outcome] table in
      // Any cell is a cell: this cannot be one of another class.
      let isShown = try table.deliver(to: request.token, as: Cell.self) { ($0 as? ImageMessageCell)?.show(picture) }
      outcome.yield(isShown)
    }
  }
}
