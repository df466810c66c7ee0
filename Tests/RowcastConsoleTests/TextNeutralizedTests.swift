import RowcastConsole
import RowcastTestSupport
import Testing

@Suite("Neutralised text", .watched)
struct TextNeutralizedTests {
  @Test("Printable ASCII is itself")
  func ascii() {
    let text = String(String.UnicodeScalarView((0x20..<0x7F).compactMap { Unicode.Scalar(UInt32($0)) }))
    #expect(text.neutralized == text)
  }

  @Test("Text of many scripts, with its emoji, is itself")
  func scripts() {
    for (kind, text, _) in goldenWidths {
      #expect(Array(text.neutralized.unicodeScalars) == Array(text.unicodeScalars), "\(kind): \(spelled(text))")
    }
  }

  @Test(
    "Each class of hostile text is shown by its rule",
    arguments: [
      Sample("\u{1B}[31mred\u{1B}[0m", shown: "␛[31mred␛[0m"),
      Sample("\u{1B}]0;title\u{7}x", shown: "␛]0;title␇x"),
      Sample("a\0b\u{1F}", shown: "a␀b␟"),
      Sample("\u{8}\u{7F}", shown: "␈␡"),
      Sample("\u{9B}2J", shown: "<U+009B>2J"),
      Sample("a\tb\nc\rd\r\ne\u{B}f\u{C}g", shown: "a b c d e f g"),
      Sample("\u{85}\u{2028}\u{2029}", shown: "   "),
      Sample("\r\r\n\n\r", shown: "    "),
      Sample("user\u{202E}txt.exe", shown: "user<U+202E>txt.exe"),
      Sample("\u{61C}\u{200E}\u{200F}\u{2066}\u{2069}", shown: "<U+061C><U+200E><U+200F><U+2066><U+2069>"),
      Sample("pay\u{200B}pal\u{FEFF}", shown: "pay<U+200B>pal<U+FEFF>"),
      Sample("soft\u{AD}hyphen", shown: "soft<U+00AD>hyphen"),
      Sample("\u{3164}\u{FFA0}\u{115F}", shown: "<U+3164><U+FFA0><U+115F>"),
      Sample("\u{FFF9}a\u{FFFA}b\u{FFFB}", shown: "<U+FFF9>a<U+FFFA>b<U+FFFB>"),
      Sample("x\u{E0041}", shown: "x<U+E0041>"),
    ])
  func rules(sample: Sample) {
    #expect(sample.text.neutralized == sample.shown)
  }

  @Test(
    "Joiners, variation selectors and tags are named where they shape nothing",
    arguments: [
      Sample("pay\u{200D}pal", shown: "pay<U+200D>pal"), Sample("a\u{200C}", shown: "a<U+200C>"),
      Sample("\u{200D}", shown: "<U+200D>"),
      Sample("a\u{FE0F}", shown: "a<U+FE0F>"), Sample("\u{FE0F}", shown: "<U+FE0F>"),
      Sample("\u{1F600}\u{FE0F}\u{E0150}", shown: "\u{1F600}\u{FE0F}<U+E0150>"),
      Sample("\u{1F600}\u{E0067}\u{E007F}", shown: "\u{1F600}<U+E0067><U+E007F>"),
      Sample("\u{1F3F4}\u{E0067}\u{E0062}", shown: "\u{1F3F4}<U+E0067><U+E0062>"),
      Sample("\u{1F3F4}\u{E007F}", shown: "\u{1F3F4}<U+E007F>"),
      Sample("\u{6CC}\u{200C}\u{200C}", shown: "\u{6CC}\u{200C}<U+200C>"),
    ])
  func shaping(sample: Sample) {
    #expect(Array(sample.text.neutralized.unicodeScalars) == Array(sample.shown.unicodeScalars))
  }

  @Test("Noncharacters are named")
  func noncharacters() throws {
    for (value, shown) in [(UInt32(0xFDD0), "<U+FDD0>"), (0xFFFF, "<U+FFFF>"), (0x10FFFE, "<U+10FFFE>")] {
      #expect(String(try #require(Unicode.Scalar(value))).neutralized == shown)
    }
  }

  @Test("A mark at the start gets a dotted circle, so that it joins nothing printed before")
  func leadingMark() {
    #expect("\u{301}a".neutralized == "\u{25CC}\u{301}a")
    #expect(("|" + "\u{301}".neutralized).count == 2)
  }

  @Test("A stack of marks is cut to sixteen scalars")
  func zalgo() {
    let text = "Z" + String(repeating: "\u{351}", count: 1_000) + "a"
    #expect(text.neutralized.count == 2)
    #expect(text.neutralized.unicodeScalars.count == 17)
  }

  @Test("An endless family is cut between its members and never ends in a joiner")
  func endlessFamily() {
    let text = String(repeating: "\u{1F468}\u{200D}", count: 100) + "\u{1F468}!"
    let shown = text.neutralized
    #expect(shown.allSatisfy { $0.unicodeScalars.count <= 16 && $0.unicodeScalars.last != "\u{200D}" })
    #expect(shown.unicodeScalars.filter { $0 == "\u{1F468}" }.count == 101)
  }

  @Test("No scalar of the planes with invisible characters comes through, alone or behind a letter")
  func everyScalar() {
    let planes: [ClosedRange<UInt32>] = [0...0x33FF, 0xA000...0xABFF, 0xD7B0...0x1FFFF, 0xE0000...0xE0FFF]
    for value in planes.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in [String(scalar), "a" + String(scalar)] {
        let shown = text.neutralized
        if !forbidden(in: shown).isEmpty || TextWidth.columns(of: shown) == 0 { Issue.record("\(spelled(text))") }
      }
    }
  }

  @Test("Fuzz: nothing forbidden comes out, characters stay short, and a second pass changes nothing")
  func fuzz() {
    for seed in fuzzSeeds {
      var generator = HostileGenerator(seed: seed)
      let text = generator.text(length: 40)
      let shown = text.neutralized
      #expect(forbidden(in: shown).isEmpty, "seed \(seed): \(spelled(text))")
      #expect(shown.allSatisfy { $0.unicodeScalars.count <= 16 }, "seed \(seed): \(spelled(text))")
      #expect(Array(shown.neutralized.unicodeScalars) == Array(shown.unicodeScalars), "seed \(seed): \(spelled(text))")
      #expect(shown.allSatisfy { TextWidth.columns(of: $0) > 0 }, "seed \(seed): \(spelled(text))")
    }
  }
}
