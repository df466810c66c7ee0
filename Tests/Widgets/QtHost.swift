import Foundation
import RowcastTestSupport

/// The Qt process at the other end of standard input and output. Each call is one line of JSON, and is answered by one line
/// before the next is made.
@MainActor
final class QtHost {
  /// A section as the data source has it.
  private struct Section: Encodable {
    let id: String
    let title: String
    let rows: [Row]
  }

  /// A row as the data source has it.
  private struct Row: Encodable {
    let id: Int
    let kind: String
    let text: String
  }

  private struct Call: Encodable {
    let call: String
    var at: [Int] = []
    var sections: [Section]?
  }

  private let encoder = JSONEncoder()
  /// The data source that Qt was told.
  private var told = TestSnapshot()

  /// Makes a call and waits for its answer: `true` if Qt has found no fault so far.
  @discardableResult
  func call(_ name: String, _ numbers: Int...) -> Bool { send(Call(call: name, at: numbers)) }

  /// Ends the run, with figures.
  func done(_ figures: [Int]) { send(Call(call: "done", at: figures)) }

  func perform(_ step: QtStep) {
    switch step {
    case .remove(let parent, let rows): call("remove", parent, rows.lowerBound, rows.count)
    case .insert(let parent, let rows): call("insert", parent, rows.lowerBound, rows.count)
    case .move(let parent, let row, let newParent, let destination): call("move", parent, row, newParent, destination)
    }
  }

  /// Tells the data source, if it is another one than before.
  func tell(_ data: TestSnapshot) {
    if data == told { return }
    told = data
    send(
      Call(
        call: "source",
        sections: (0..<data.sectionCount).map { index in
          let section = data.section(at: index)
          return Section(
            id: section.id, title: section.content.title,
            rows: data.rows(inSection: index).map { row in
              Row(id: row.id, kind: row.reuseIdentifier == "other" ? "other" : "row", text: row.text)
            })
        }))
  }

  @discardableResult
  private func send(_ call: Call) -> Bool {
    do {
      var line = try encoder.encode(call)
      line.append(UInt8(ascii: "\n"))
      try FileHandle.standardOutput.write(contentsOf: line)
    } catch { exit(3) }
    guard let answer = readLine() else { exit(3) }
    return answer == "ok"
  }
}
