import Testing

@testable import RowcastDemo

@Suite(.watched) struct FileNameTests {
  @Test(arguments: [
    ("plain.txt", "plain.txt"), ("日本 é", "日本 é"), ("back\\slash", "back\\slash"), ("\\", "\\"), ("a\\x41", "a\\x5Cx41"),
    ("e\u{301}", "e\\xCC\\x81"), ("\u{1B}[31m", "\u{1B}[31m"), ("…", "…"),
  ])
  func `a name that is UTF-8 is its own id, unless another name could have it`(name: String, id: String) {
    #expect(Array(FileName.id(Array(name.utf8), in: "").utf8) == Array(id.utf8))
    #expect(Array(FileName.title(FileName.id(Array(name.utf8), in: "a/b")).utf8) == Array(name.utf8))
  }

  @Test func `bytes that are not UTF-8 are shown escaped`() {
    let id = FileName.id([0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x82, 0x5C, 0x78], in: "b")
    #expect(id == "b/a\\xFF\\xC3(\\xE2\\x82\\x5Cx")
    #expect(FileName.title(id) == "a\\xFF\\xC3(\\xE2\\x82\\x")
  }

  @Test func `no two names have one id, and each id leads back to its name`() {
    var random = SeededGenerator.forFuzzing("names of files")
    // Pieces of characters that are composed and decomposed, of escapes, and of what is not UTF-8.
    let pieces: [[UInt8]] =
      [[0x5C], [0x78], [0x35], [0x43], [0xCC, 0x81], [0x65], [0xC3, 0xA9], [0xC3], [0xA9], [0xFF], [0x41]]
      + ["\u{212B}", "\u{C5}", "\u{1E9B}\u{323}", "\u{AC00}", "\u{1100}\u{1161}"].map { Array($0.utf8) }
    var names: [String: [UInt8]] = [:]
    for _ in 0..<20_000 {
      let name = (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
      let id = FileName.id(name, in: "")
      #expect(names.updateValue(name, forKey: id) ?? name == name, "\(id), seed \(random.seed)")
      #expect(FileName.path(id) == name, "\(id), seed \(random.seed)")
    }
  }
}
