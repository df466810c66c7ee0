import Testing

@testable import RowcastConsole

/// A line of text as an array of characters, and the position of its cursor.
private struct LineModel {
  var text: [Character] = []
  var cursor = 0

  private func isWord(_ index: Int) -> Bool { text[index].isLetter || text[index].isNumber }

  private var wordStart: Int {
    var start = cursor
    while start > 0, !isWord(start - 1) { start -= 1 }
    while start > 0, isWord(start - 1) { start -= 1 }
    return start
  }

  private var wordEnd: Int {
    var end = cursor
    while end < text.count, !isWord(end) { end += 1 }
    while end < text.count, isWord(end) { end += 1 }
    return end
  }

  private mutating func remove(from start: Int, to end: Int) {
    text.removeSubrange(start..<end)
    cursor = start
  }

  mutating func press(_ key: Key) {
    switch key {
    case .character(let character):
      text.insert(character, at: cursor)
      cursor += 1
    case .backspace: if cursor > 0 { remove(from: cursor - 1, to: cursor) }
    case .delete, .control("d"): if cursor < text.count { remove(from: cursor, to: cursor + 1) }
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .control("u"): remove(from: 0, to: cursor)
    case .control("k"): remove(from: cursor, to: text.count)
    case .control("w"):
      var start = cursor
      while start > 0, text[start - 1] == " " { start -= 1 }
      while start > 0, text[start - 1] != " " { start -= 1 }
      remove(from: start, to: cursor)
    case .alt("b"), .alt(.left): cursor = wordStart
    case .alt("f"), .alt(.right): cursor = wordEnd
    case .alt("d"): remove(from: cursor, to: wordEnd)
    case .alt(.backspace): remove(from: wordStart, to: cursor)
    default: break
    }
  }
}

@Suite(.watched) struct TypedTextTests {
  private let keys: [Key] = [
    "a", "b", " ", " ", "-", "é", "7", .backspace, .delete, .control("d"), .left, .control("b"), .right, .control("f"),
    .home, .control("a"), .end, .control("e"), .control("u"), .control("k"), .control("w"), .alt("b"), .alt(.left),
    .alt("f"), .alt(.right), .alt("d"), .alt(.backspace), .alt("x"), .control("x"), .up, .alt(.up),
  ]

  @Test func `keys edit a text as they do in shells`() {
    var random = SeededGenerator.forFuzzing("typed text")
    for _ in 0..<SeededGenerator.rounds(100, long: 50_000) {
      var (model, typed) = (LineModel(), TypedText(text: ""))
      for _ in 0..<40 {
        let key =
          Int.random(in: 0..<3, using: &random) > 0
          ? keys[Int.random(in: 0..<7, using: &random)] : keys.randomElement(using: &random) ?? "a"
        let former = model
        model.press(key)
        let isChanged = typed.take(key)
        #expect(isChanged == (former.text != model.text || former.cursor != model.cursor))
        let (before, after) = (String(model.text[..<model.cursor]), String(model.text[model.cursor...]))
        #expect(typed.before == before && typed.after == after, "seed \(random.seed): \(key)")
      }
    }
  }

  @Test(arguments: [
    ("hello world\nsecond line\tcol", "hello world second line col"), ("a\nb\n", "a b"), ("\n\ta", "a"),
    ("a\n\nb", "a  b"), ("a b", "a b"),
  ])
  func `line ends and tabs in a paste are spaces between words, and none before what is typed`(
    pasted: String, text: String
  ) {
    var typed = TypedText(text: "")
    for character in pasted { _ = typed.take(.pasted(character)) }
    #expect(typed.text == text)
    _ = typed.take("c")
    #expect(typed.text == text + "c")
  }

  @Test func `a prompt takes no more than its limit of scalars`() {
    var typed = TypedText(text: "")
    for _ in 0..<1_000 { _ = typed.take(.pasted("\u{301}")) }
    #expect(typed.text.unicodeScalars.count == TypedText.limit)
  }

  @Test func `a text that is too long is cut where it is, and that is seen until another key`() async throws {
    var typed = TypedText(text: "")
    let beginning = String(repeating: "a", count: TypedText.limit - 2)
    for character in beginning + "👩‍👩‍👧‍👦b" { _ = typed.take(.pasted(character)) }
    #expect(typed.text == beginning && typed.isCut)
    for key in ["b", "c", "d"] as [Key] { _ = typed.take(key) }
    #expect(typed.text == beginning + "bc" && typed.isCut)
    _ = typed.take(.backspace)
    #expect(typed.text == beginning + "b" && !typed.isCut)

    try await onScreen(.rows(3), columns: 60) { screen in
      for key in [.control("f"), ":"] as [Key] {
        try await screen.press(key)
        try await screen.paste(String(repeating: "ab", count: TypedText.limit))
        try await screen.expect("a message") { $0[7].hasPrefix("at most 200 characters: ") && $0[7].hasSuffix("ab_") }
        try await screen.press(.backspace)
        try await screen.expect("the text") { $0[7].hasPrefix(key == ":" ? ":" : "search: ") && $0[7].hasSuffix("ba_") }
        try await screen.press(.escape)
      }
    }
  }
}
