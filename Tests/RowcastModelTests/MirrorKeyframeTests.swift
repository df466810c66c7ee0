import Foundation
import RowcastModel
import TestSupport
import Testing

/// Keyframes that a mirror has already: nothing of them is decoded.
@Suite struct MirrorKeyframeTests {
  /// A row that counts how often any is decoded.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Row: RowViewModel, Codable {
    static let decodings = CallCount()

    let id: Int

    init(_ id: Int) { self.id = id }
    init(from decoder: any Decoder) throws {
      id = Self.decodings.note(try decoder.singleValueContainer().decode(Int.self))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(id)
    }
  }

  /// The bytes of a line, with a count of those that were looked at.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct CountedLine: Sequence, IteratorProtocol {
    var bytes: Data.Iterator
    let looks: CallCount

    mutating func next() -> UInt8? { looks.note(bytes.next()) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  typealias Message = WireMessage<TestSection, Row>

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func line(_ message: Message) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(message)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func keyframe(_ line: String) -> ListPosition? { ListPosition(ofKeyframe: line.utf8) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a keyframe costs a mirror in step nothing: no row is decoded, and a few bytes are looked at`() throws {
    let list = ListSnapshot<TestSection, Row>(
      unchecked: [ListSection(TestSection("a"), rows: (0..<10_000).map { Row($0) })])
    var mirror = ListMirror(list, at: ListPosition(epoch: "e", revision: 7))
    let line = try line(.initial(revision: 7, snapshot: list, epoch: "e"))
    let start = Row.decodings.value
    let looks = CallCount()
    let keyframe = try #require(ListPosition(ofKeyframe: CountedLine(bytes: line.makeIterator(), looks: looks)))
    #expect(mirror.skips(keyframeAt: keyframe) == true)
    #expect(Row.decodings.value == start && looks.value < 60, "\(looks.value) of \(line.count) bytes")
    #expect(try mirror.receive(JSONDecoder().decode(Message.self, from: line)) == nil)
    #expect(Row.decodings.value == start + 10_000)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a mirror skips no keyframe but the one that it has`() throws {
    var mirror = ListMirror<TestSection, Row>(at: ListPosition(epoch: "e", revision: 7))
    for (epoch, revision) in [("e", 8), ("e", 6), ("f", 7), ("", 7)] {
      #expect(mirror.skips(keyframeAt: ListPosition(epoch: epoch, revision: revision)) == false)
    }
    var early = ListMirror<TestSection, Row>()
    #expect(early.skips(keyframeAt: ListPosition(epoch: "e", revision: 0)) == false)
    var nameless = ListMirror<TestSection, Row>(at: ListPosition(epoch: "", revision: 7))
    #expect(nameless.skips(keyframeAt: ListPosition(epoch: "", revision: 7)) == false)
    _ = try mirror.receive(.end(revision: 7, updates: 3, epoch: "e"))
    #expect(mirror.skips(keyframeAt: ListPosition(epoch: "e", revision: 7)) == false)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a keyframe that is skipped shows that the writer is there`() throws {
    var mirror = ListMirror<TestSection, Row>(at: ListPosition(epoch: "e", revision: 7))
    _ = try mirror.receive(.end(revision: 2, updates: 3, epoch: "f"))
    #expect(mirror.state == .waiting(for: .wholeList))
    #expect(mirror.skips(keyframeAt: ListPosition(epoch: "e", revision: 7)) == true)
    #expect(mirror.state == .following(ListPosition(epoch: "e", revision: 7)))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the position of a keyframe is read from the fields before its sections, with any space between them`() {
    let position = ListPosition(epoch: "é 1", revision: 12)
    #expect(keyframe(#"{"epoch":"é 1","kind":"initial","revision":12,"sections":[]"#) == position)
    #expect(keyframe("{ \"v\" : 1 ,\t\"revision\" :12 , \"kind\": \"initial\" ,\r\n\"epoch\":\"é 1\"}") == position)
    let others = #"{"a":null,"b":true,"c":-1.5e3,"d":"x","revision":12,"kind":"initial","epoch":"é 1""#
    #expect(keyframe(others) == position)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `lines that are no keyframe, or do not say so at once, are left to the decoder`() {
    let head = #""epoch":"e","kind":"initial","revision":1"#
    for line in [
      "", "{", "{}", "[1]", "null", #"{"epoch":"e","kind":"initial","revision":"1","v":1}"#,
      #"{"epoch":"e","kind":"changes","revision":1,"v":1}"#, #"{"epoch":"e","kind":"end","revision":1}"#,
      #"{"epoch":"e","kind":"initial","revision":1.5}"#, #"{"epoch":"e","kind":"initial","revision":1e3}"#,
      #"{"epoch":"e","kind":"initial","revision":99999999999999999999}"#, #"{"kind":"initial","revision":1}"#,
      #"{"epoch":1,"kind":"initial","revision":1}"#, #"{"epoch":"\u0065","kind":"initial","revision":1}"#,
      #"{"sections":[],\#(head)}"#, #"{"x":{},\#(head)}"#, #"{,\#(head)}"#, #"{"x"\#(head)}"#, #"{"x":,\#(head)}"#,
      #"{"\#(String(repeating: "x", count: 200))":1,\#(head)}"#,
      String(repeating: "[", count: 1_000_000), "{" + String(repeating: #""x":1,"#, count: 20) + head,
    ] {
      #expect(keyframe(line) == nil, "\(line.prefix(80))")
    }
  }
}
