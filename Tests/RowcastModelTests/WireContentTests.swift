import Foundation
import Testing

/// What sections may be on the wire.
@Suite(.watched) struct WireContentTests {
  /// A section with any content.
  struct Section<Content: Codable & Equatable & Sendable>: WireSection {
    let id: Int
    let content: Content
  }

  private func encode<Content: Codable & Equatable & Sendable>(_ content: Content, update: Bool = false) throws
    -> String
  {
    typealias Snapshot = ListSnapshot<Section<Content>, TestRow>
    let list = try Snapshot([ListSection(Section(id: 7, content: content), rows: [TestRow(1)])])
    var message = WireMessage(ListUpdate(initial: list, revision: 1))
    if update {
      let step = ListChanges(sections: Changeset(updates: [.init(from: 0, to: 0)]))
      message = WireMessage(ListUpdate(revision: 2, previous: 1, changes: step, snapshot: list))
    }
    return try json(message)
  }

  struct Titled: Codable, Equatable {
    var title: String
    var detail: [String: [Int]] = [:]
  }

  /// An object that is written by way of a single value.
  struct Wrapped: Codable, Equatable {
    var inner = Titled(title: "x")
    init() {}
    init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode(Titled.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(inner)
    }
  }

  @Test func `contents that are objects stand beside the id, however they are written`() throws {
    let expected = #"[{"detail":{},"id":7,"rows":[{"id":1,"text":""}],"title":"x"}]"#
    #expect(try encode(Titled(title: "x")).contains(expected))
    #expect(try encode(Wrapped()).contains(expected))
    #expect(try encode(["a": 1]).contains(#"[{"a":1,"id":7,"rows":[{"id":1,"text":""}]}]"#))
  }

  private func expectNoObject(_ content: some Codable & Equatable & Sendable, _ type: String) {
    for update in [false, true] {
      #expect(throws: WireError.contentIsNoObject(type: type), "\(content)") { try encode(content, update: update) }
    }
  }

  @Test func `contents that are no objects are refused by their type`() {
    expectNoObject("text", "Swift.String")
    expectNoObject(7, "Swift.Int")
    expectNoObject(1.5, "Swift.Double")
    expectNoObject(true, "Swift.Bool")
    expectNoObject([1, 2], "Swift.Array<Swift.Int>")
    expectNoObject([Int](), "Swift.Array<Swift.Int>")
    expectNoObject([Titled(title: "x")], "Swift.Array<RowcastModelTests.WireContentTests.Titled>")
    expectNoObject(Int?.none, "Swift.Optional<Swift.Int>")
    expectNoObject(Date(timeIntervalSince1970: 0), String(reflecting: Date.self))
  }

  struct Reserved: Codable, Equatable {
    var id = 1
  }

  /// Its field is a container of its own, of each kind.
  struct Nested: Codable, Equatable {
    enum Way: CaseIterable { case keyed, unkeyed, encoder }
    enum Key: String, CodingKey { case rows }
    let way: Way
    init(_ way: Way) { self.way = way }
    init(from decoder: any Decoder) throws { way = .keyed }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      switch way {
      case .keyed:
        var rows = container.nestedContainer(keyedBy: Key.self, forKey: .rows)
        try rows.encode(1, forKey: .rows)
      case .unkeyed:
        var rows = container.nestedUnkeyedContainer(forKey: .rows)
        try rows.encode(1)
      case .encoder: try 1.encode(to: container.superEncoder(forKey: .rows))
      }
    }
  }

  struct Between: Codable, Equatable {
    var from = 1
  }

  @Test func `fields that the wire form needs for itself are refused by their name`() throws {
    let prefix = "RowcastModelTests.WireContentTests."
    #expect(throws: WireError.reservedField("id", type: prefix + "Reserved")) { try encode(Reserved()) }
    for way in Nested.Way.allCases {
      #expect(throws: WireError.reservedField("rows", type: prefix + "Nested"), "\(way)") { try encode(Nested(way)) }
    }
    #expect(throws: WireError.reservedField("from", type: prefix + "Between")) { try encode(Between(), update: true) }
    #expect(try encode(Between()).contains(#""from":1"#))
    #expect(throws: WireError.reservedField("rows", type: "Swift.Dictionary<Swift.String, Swift.Int>")) {
      try encode(["rows": 1])
    }
  }
}

@Suite(.watched) struct SectionPhaseTests {
  @Test(arguments: [
    (SectionPhase.idle, #""idle""#), (.loading, #""loading""#), (.loaded, #""loaded""#), (.empty, #""empty""#),
    (.failed(message: "a \"b\"", retry: .automatic), #"{"failed":"a \"b\"","retry":"automatic"}"#),
  ])
  func `a phase survives the wire`(phase: SectionPhase, text: String) throws {
    #expect(try json(phase) == text)
    #expect(try JSONDecoder().decode(SectionPhase.self, from: Data(text.utf8)) == phase)
  }

  @Test(arguments: [#""done""#, "1", #"{"failed":"x"}"#, #"{"failed":"x","retry":"later"}"#])
  func `what is no phase is refused`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(SectionPhase.self, from: Data(text.utf8)) }
  }
}
