/// A line under construction that knows how to end in `…` when the next character does not fit.
package struct LineFitting {
  private let columns: Int
  /// What is shown in any case.
  private var text = ""
  /// What is shown only if nothing has to give way to the `…`.
  private var tail = ""
  private var used = 0

  /// Makes an empty line.
  ///
  /// - Parameter columns: The most columns the line may take, 1 or more.
  init(columns: Int) {
    self.columns = columns
  }

  /// Adds a character; false, and nothing added, if it does not fit.
  mutating func append(_ character: Character) -> Bool {
    let width = TextWidth.columns(of: character)
    guard width <= columns - used else { return false }
    used += width
    if used < columns { text.append(character) } else { tail.append(character) }
    return true
  }

  /// The line, when everything fitted.
  var whole: String { text + tail }

  /// The line, when something did not.
  var cut: String { text + "…" }

  /// The most scalars that are looked at to fill a number of columns: a longest character for each, and one more.
  package static func budget(columns: Int) -> Int {
    let (scalars, overflow) = columns.multipliedReportingOverflow(by: longestCharacter)
    return overflow || scalars > Int.max - longestCharacter ? .max : max(0, scalars) + longestCharacter
  }
}

/// The first scalars of a text, and whether there were more.
package struct BoundedScalars<Base: IteratorProtocol<Unicode.Scalar>>: IteratorProtocol {
  private var base: Base
  private var left: Int
  /// Whether the bound was met with text left over; known when `next()` has returned nil.
  package private(set) var isCut = false

  /// Bounds an iterator; it is asked for one scalar more than the limit, to learn whether there is one.
  package init(_ base: Base, limit: Int) {
    self.base = base
    left = limit
  }

  package mutating func next() -> Unicode.Scalar? {
    guard !isCut else { return nil }
    guard left > 0 else {
      isCut = base.next() != nil
      return nil
    }
    left -= 1
    return base.next()
  }
}
