import Rowcast
import RowcastBrowser
import RowcastConsole

/// A recording as a page that needs nothing but a browser: the messages, what a table did with them, and the program
/// that plays them.
struct Page {
  /// What the recording is called.
  let name: String
  /// The first list, then the changes.
  private(set) var messages: [Message] = []
  private(set) var replay: PageReplay
  /// What the end of the recording says about it; `nil` if it has no end.
  var end: End?

  /// Whether the recording continues after what the page has of it.
  var isPartial = false

  /// The parts of an end's summary that the page shows, as far as it has them.
  struct End: Encodable {
    var source: Summary.Sources?
    var latencyMicroseconds: Summary.Latency?
  }

  init(name: String, replay: PageReplay) {
    self.name = name
    self.replay = replay
  }

  /// Adds the next update of the recording.
  mutating func append(_ message: Message, _ update: Update) throws(TableError) {
    try replay.show(update)
    messages.append(message)
  }

  /// The page as one text without any reference to anything else.
  ///
  /// Only a script that knows the page's own random number runs in it, and nothing is fetched: a browser would refuse
  /// it. So a recording can do nothing, even if it could leave its place.
  func html() throws -> [UInt8] {
    let nonce = String(UInt64.random(in: 0 ... .max), radix: 36)
    let policy =
      "default-src 'none'; img-src data:; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; base-uri 'none'"
    let parts: [String: [UInt8]] = [
      "POLICY": Array(policy.utf8), "NONCE": Array(nonce.utf8), "GENERATOR": Array(Help.version.utf8),
      "STYLE": PackageResources.style_css, "SCRIPT": Self.script, "RECORDING": try recording(),
    ]
    let percent = UInt8(ascii: "%")
    let pieces = PackageResources.page_html.split(separator: percent, omittingEmptySubsequences: false)
    // Every second piece of the document was between two percent signs, and names what takes its place.
    return pieces.enumerated().flatMap { index, piece in
      index.isMultiple(of: 2) ? Array(piece) : parts[String(decoding: piece, as: UTF8.self), default: []]
    }
  }

  /// The program of the page, written for browsers as they are. Each file may use those before it; the first is the
  /// module that mirrors lists.
  private static var script: [UInt8] {
    [
      Array(BrowserModule.source.utf8), PackageResources.history_js, PackageResources.line_js,
      PackageResources.stage_js,
      PackageResources.log_js, PackageResources.chart_js, PackageResources.player_js, PackageResources.start_js,
    ].flatMap(\.self)
  }

  /// The data of the page, a message a line.
  private func recording() throws -> [UInt8] {
    var lines = Array("{\"name\":".utf8) + (try Self.embeddable(name))
    lines += Array(",\"end\":".utf8) + (try Self.embeddable(end))
    lines += Array(",\"isPartial\":\(isPartial)".utf8)
    lines += Array(",\"replay\":".utf8) + (try Self.embeddable(replay))
    lines += Array(",\"messages\":[\n".utf8)
    for (index, message) in messages.enumerated() {
      if index > 0 { lines += Array(",\n".utf8) }
      lines += try Self.embeddable(message)
    }
    return lines + Array("]}".utf8)
  }

  /// JSON that can be inside a script element: no `<` that could end it or start a comment, no line separators.
  static func embeddable(_ value: some Encodable) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in try JSONLine.encode(value).dropLast() {
      if byte == UInt8(ascii: "<") { bytes += "\\u003C".utf8 } else { bytes.append(byte) }
    }
    return bytes
  }
}

extension Page.End: Decodable {
  private enum Key: String, CodingKey {
    case summary, source, latencyMicroseconds
  }

  /// Reads an end line of any version: what it does not have, or has in another form, is left out.
  init(from decoder: any Decoder) throws {
    let line = try decoder.container(keyedBy: Key.self)
    let summary = try? line.nestedContainer(keyedBy: Key.self, forKey: .summary)
    source = try? summary?.decode(Summary.Sources.self, forKey: .source)
    latencyMicroseconds = try? summary?.decode(Summary.Latency.self, forKey: .latencyMicroseconds)
  }
}
