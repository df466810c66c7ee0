import Testing

@testable import RowcastDemo

/// The heads of the requests that `demo serve` gets.
@Suite(.watched) struct RequestHeadTests {
  private static let host = "Host: 127.0.0.1:8080\r\n"

  private static func parse(_ text: String) throws(RequestRefusal) -> RequestHead? {
    var parser = RequestHeadParser(port: 8_080)
    return try parser.take(text.utf8)
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\(host)\r\n", RequestHead(path: "/")),
    (
      "GET /list HTTP/1.0\r\nhOST:  LocalHost:8080 \t\r\nLast-Event-ID: k3/7\r\n\r\nmore",
      .init(path: "/list", lastEventID: "k3/7")
    ),
    ("GET /list?a=1&lastEventId=k%2F3%2F7 HTTP/1.1\r\n\(host)\r\n", .init(path: "/list", lastEventID: "k/3/7")),
    (
      "GET /list?lastEventId=k/3 HTTP/1.1\r\n\(host)Last-Event-ID: k/4\r\n\r\n",
      .init(path: "/list", lastEventID: "k/4")
    ),
    ("GET /list?lastEventId=%zz HTTP/1.1\r\n\(host)Empty:\r\n\r\n", .init(path: "/list")),
  ])
  func `a head is read, in pieces of any size`(text: String, head: RequestHead) throws {
    #expect(try Self.parse(text) == head)
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var parser = RequestHeadParser(port: 8_080)
      var found = try parser.take(bytes[..<cut])
      if found == nil { found = try parser.take(bytes[cut...]) }
      #expect(found == head)
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", RequestRefusal.foreignHost),
    ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", .foreignHost),
    ("GET / HTTP/1.1\r\nHost: 127.0.0.1:8081\r\n\r\n", .foreignHost),
    ("GET / HTTP/1.1\r\nHost: 127.0.0.1:8080.evil.example\r\n\r\n", .foreignHost),
    ("GET / HTTP/1.1\r\n\r\n", .malformed), ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", .malformed),
    ("GET  / HTTP/1.1\r\n\(host)\r\n", .malformed), ("GET / HTTP/2\r\n\(host)\r\n", .malformed),
    ("GET http://127.0.0.1:8080/ HTTP/1.1\r\n\(host)\r\n", .malformed),
    ("GET / HTTP/1.1\r\n\(host)no colon\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\n\(host) folded: x\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\nX: a\nHost: 127.0.0.1:8080\r\n\r\n", .malformed),
    ("GET / HTTP/1.1\r\n\(host)X: a\0b\r\n\r\n", .malformed),
    ("POST / HTTP/1.1\r\n\(host)\r\n", .wrongMethod), ("get / HTTP/1.1\r\n\(host)\r\n", .wrongMethod),
  ])
  func `what is refused has its status`(text: String, refusal: RequestRefusal) {
    #expect(throws: refusal) { try Self.parse(text) }
  }

  @Test func `a head has at most 8 kilobytes`() throws {
    let start = "GET / HTTP/1.1\r\n\(Self.host)X: "
    func head(_ count: Int) -> String {
      start + String(repeating: "a", count: count - start.utf8.count - 4) + "\r\n\r\n"
    }
    #expect(try Self.parse(head(8_192)) == RequestHead(path: "/"))
    for count in [8_193, 20_000] { #expect(throws: RequestRefusal.tooLong) { try Self.parse(head(count)) } }
  }

  @Test func `all short texts of the signs that matter are no head, and are refused if they end like one`() throws {
    let signs = ["G", " ", "\r", "\n", ":", "/"].flatMap(\.utf8)
    var texts: [[UInt8]] = [[]]
    for length in 0...6 {
      if length > 0 { texts = texts.flatMap { text in signs.map { text + [$0] } } }
      for text in texts {
        let ends = text.indices.contains { text[$0...].starts(with: "\r\n\r\n".utf8) }
        var parser = RequestHeadParser(port: 8_080)
        if ends {
          #expect(throws: RequestRefusal.malformed) { try parser.take(text) }
        } else {
          #expect(try parser.take(text) == nil)
        }
      }
    }
  }

  @Test func `random changes of a head never let a foreign host in`() {
    var generator = SeededGenerator.forFuzzing("heads of requests")
    let text = Array("GET /list HTTP/1.1\r\n\(Self.host)Last-Event-ID: k/3\r\n\r\n".utf8)
    var (heads, refusals) = (0, 0)
    for _ in 0..<20_000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        }
      }
      var parser = RequestHeadParser(port: 8_080)
      do {
        guard try parser.take(bytes) != nil else { continue }
        heads += 1
        #expect(String(decoding: bytes, as: UTF8.self).lowercased().contains("127.0.0.1:8080"), "\(bytes)")
      } catch {
        refusals += 1
      }
    }
    #expect(heads > 1_000 && refusals > 1_000)
  }
}
