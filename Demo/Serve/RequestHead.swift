import Foundation

/// Why a request is answered with an error: the status of the answer.
enum RequestRefusal: Int, Error {
  case malformed = 400
  case foreignHost = 403
  case unknownPath = 404
  case wrongMethod = 405
  case late = 408
  case tooLong = 431
  case busy = 503

  var reason: String {
    switch self {
    case .malformed: "Bad Request"
    case .foreignHost: "Forbidden"
    case .unknownPath: "Not Found"
    case .wrongMethod: "Method Not Allowed"
    case .late: "Request Timeout"
    case .tooLong: "Request Header Fields Too Large"
    case .busy: "Service Unavailable"
    }
  }
}

/// The head of an HTTP request, as far as the demo needs it.
struct RequestHead: Equatable {
  /// The path, without a query.
  var path: String
  /// The id of the last event that a browser received: its header, or the field of the query.
  var lastEventID: String?
}

/// Finds the head in the bytes of a connection, in pieces of any size.
struct RequestHeadParser {
  /// The longest head in bytes, with the empty line at its end.
  static let limit = 8_192
  /// The names by which this machine may be called. A page from elsewhere that had its own name lead here could read the list.
  let hosts: Set<String>
  private var bytes: [UInt8] = []

  init(port: UInt16) {
    let names = ["127.0.0.1", "localhost"]
    hosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }

  /// Adds bytes; returns the head once it is complete. What follows it is ignored.
  mutating func take(_ more: some Sequence<UInt8>) throws(RequestRefusal) -> RequestHead? {
    for byte in more {
      guard bytes.count < Self.limit else { throw .tooLong }
      bytes.append(byte)
      if byte == UInt8(ascii: "\n"), bytes.suffix(4) == Array("\r\n\r\n".utf8) { return try head() }
    }
    return nil
  }

  private func head() throws(RequestRefusal) -> RequestHead {
    guard let text = String(validating: bytes.dropLast(4), as: UTF8.self) else { throw .malformed }
    // A line end is one character, and may only be between lines.
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard !lines.contains(where: { $0.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F } })
    else { throw .malformed }
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, ["HTTP/1.1", "HTTP/1.0"].contains(words[2]), words[1].hasPrefix("/")
    else { throw .malformed }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        line[..<colon].utf8.allSatisfy(Self.isTokenByte)
      else { throw .malformed }
      let name = line[..<colon].lowercased()
      guard fields[name] == nil || name != "host" else { throw .malformed }
      fields[name] = Self.trimmed(line[line.index(after: colon)...])
    }
    guard let host = fields["host"] else { throw .malformed }
    guard hosts.contains(host.lowercased()) else { throw .foreignHost }
    guard words[0] == "GET" else { throw .wrongMethod }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = target.count > 1 ? target[1].split(separator: "&") : []
    let field = query.first { $0.hasPrefix("lastEventId=") }?.dropFirst("lastEventId=".count)
    let lastEventID = fields["last-event-id"] ?? field.flatMap { String($0).removingPercentEncoding }
    return RequestHead(path: String(target[0]), lastEventID: lastEventID)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "0"..."9", "a"..."z", "A"..."Z", "-", "_", ".": true
    default: false
    }
  }

  private static func trimmed(_ value: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = value.firstIndex(where: { !isBlank($0) }), let last = value.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(value[first...last])
  }
}
