import Foundation
import RowcastConsole
import RowcastTestSupport
import Testing

@Suite("JSON for terminals", .watched)
struct TextJSONTests {
  @Test(
    "What could act on a terminal is escaped, everything else stays",
    arguments: [
      Sample("{\"a\":\"\u{9B}2J\"}", shown: "{\"a\":\"\\u009B2J\"}"),
      Sample("[\"\u{7F}\u{202E}\u{2028}\u{85}\"]", shown: "[\"\\u007F\\u202E\\u2028\\u0085\"]"),
      Sample("[\"\u{E0041}\u{1D173}\"]", shown: "[\"\\uDB40\\uDC41\\uD834\\uDD73\"]"),
      Sample("[\"\u{1B}\"]", shown: "[\"\\u001B\"]"),
      Sample("{\n\t\"a\": 1\r\n}", shown: "{\n\t\"a\": 1\r\n}"),
      Sample(
        "[\"\u{6CC}\u{200C}\u{1F468}\u{200D}\u{1F469}\u{2764}\u{FE0F}\"]",
        shown: "[\"\u{6CC}\u{200C}\u{1F468}\u{200D}\u{1F469}\u{2764}\u{FE0F}\"]"),
      Sample("[\"plain \\u001b \\\"quoted\\\"\"]", shown: "[\"plain \\u001b \\\"quoted\\\"\"]"), Sample("", shown: ""),
    ])
  func escapes(sample: Sample) {
    #expect(JSONLine.escapingForTerminal(Array(sample.text.utf8)) == Array(sample.shown.utf8))
  }

  @Test("Bytes that are no UTF-8 become replacement characters")
  func invalidBytes() {
    #expect(JSONLine.escapingForTerminal([0x22, 0x9B, 0x22]) == Array("\"\u{FFFD}\"".utf8))
  }

  @Test("Fuzz: the value is the same, and nothing that acts on a terminal is left")
  func fuzz() throws {
    for seed in fuzzSeeds {
      var generator = HostileGenerator(seed: seed)
      let text = generator.text(length: 30)
      let json = try JSONEncoder().encode([text])
      let shown = JSONLine.escapingForTerminal(Array(json))
      let decoded = try JSONDecoder().decode([String].self, from: Data(shown))
      let isSame = decoded.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars)
      #expect(isSame, "seed \(seed): \(spelled(text))")
      #expect(forbidden(in: String(decoding: shown, as: UTF8.self)).isEmpty, "seed \(seed): \(spelled(text))")
      #expect(JSONLine.escapingForTerminal(shown) == shown, "seed \(seed)")
    }
  }
}
