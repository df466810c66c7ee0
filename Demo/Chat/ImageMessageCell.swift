import Rowcast
import RowcastConsole

/// Shows an image, which comes some time after the cell has asked for it.
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

  /// Shows the image that has come.
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

  /// What has been loaded, for whoever has the table.
  let results: AsyncStream<CellResult>
  private let result: AsyncStream<CellResult>.Continuation
  private let requests: AsyncStream<Request>
  private let request: AsyncStream<Request>.Continuation
  private let tally = ImageTally()

  init() {
    (results, result) = AsyncStream.makeStream(of: CellResult.self)
    (requests, request) = AsyncStream.makeStream(of: Request.self)
  }

  /// Asks for an image. It comes later, or never.
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

  /// How many images were shown, and how many came when their cell showed something else.
  var counts: (shown: Int, dropped: Int) { get async { await tally.counts } }

  private func finish(_ request: Request) {
    let picture = ["▒▓█ \(request.name)", "▓█▓▒░▒▓", "█▓▒░▒▓█"]
    result.yield(
      CellResult(token: request.token) { cell in
        (cell as? ImageMessageCell)?.show(picture)
      } settle: { [tally] in
        await tally.count(isShown: $0)
      })
  }
}

/// Counts what became of images.
private actor ImageTally {
  private(set) var counts = (shown: 0, dropped: 0)

  func count(isShown: Bool) {
    if isShown { counts.shown += 1 } else { counts.dropped += 1 }
  }
}
