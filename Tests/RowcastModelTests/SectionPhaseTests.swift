import Foundation
import RowcastModel
import RowcastTestSupport
import Testing

@Suite(.watched) struct SectionPhaseTests {
  @Test(arguments: [
    (SectionPhase.idle, #""idle""#), (.loading, #""loading""#), (.loaded, #""loaded""#), (.empty, #""empty""#),
    (.failed(message: "a \"b\"", retry: .automatic), #"{"failed":"a \"b\"","retry":"automatic"}"#),
  ])
  func `a phase survives the wire`(phase: SectionPhase, text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(phase), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(SectionPhase.self, from: Data(text.utf8)) == phase)
  }

  @Test(arguments: [#""done""#, "1", #"{"failed":"x"}"#, #"{"failed":"x","retry":"later"}"#])
  func `what is no phase is refused`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(SectionPhase.self, from: Data(text.utf8)) }
  }
}
