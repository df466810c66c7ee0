/// The program of the page, part by part. Written for browsers as they are, without a library.
enum PageScript {
  /// The whole program: each part may use those before it.
  static let text = [list, history, line, stage, log, chart, player, start].joined()
}
