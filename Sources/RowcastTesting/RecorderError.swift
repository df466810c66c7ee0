import RowcastDiff
public import RowcastModel

/// The difference between a recorded stream and an expectation of a test.
public struct RecorderError<Section: SectionViewModel, Row: RowViewModel>: Error {
  /// The ways in which a stream differs from the expectation.
  package enum Reason: Sendable {
    /// The next update is not the expected one.
    case unexpected(expected: String, got: ListUpdate<Section, Row>)
    /// The stream ended where an update was expected.
    case ended(expected: String)
    /// There is an update that the test did not expect.
    case notAsserted(ListUpdate<Section, Row>)
    /// The update does not start where the one before it ended.
    case gap(after: ListPosition?, got: ListUpdate<Section, Row>)
    /// The update is not the first, and its list is the one before it.
    case empty(ListUpdate<Section, Row>)
    /// Applying the changes does not give the update's list.
    case wrongFold(ListUpdate<Section, Row>)
    /// A strict table would refuse the update.
    case refused(BatchError)
    /// There was no update within the time limit.
    case late(expected: String, after: Duration)
    /// The stream did not end within the time limit.
    case open(expected: String, after: Duration)
    /// The task that waits for an update was cancelled, which ends the stream.
    case cancelled(expected: String)
    /// The recorder stopped at an earlier failure, described in words.
    case stopped(expected: String, by: String)
  }

  /// The way in which the stream differs from the expectation.
  package let reason: Reason
  /// The file and the line of the expectation, as in `InboxTests/ThreadTests.swift:41`.
  package let location: String
  /// The list before the update.
  let before: ListSnapshot<Section, Row>

  /// True for an update that was delivered and breaks a promise, whatever the test expected.
  var isBrokenUpdate: Bool {
    switch reason {
    case .gap, .empty, .wrongFold, .refused: true
    case .unexpected, .ended, .notAsserted, .late, .open, .cancelled, .stopped: false
    }
  }
}

extension RecorderError: CustomStringConvertible {
  /// The place in the test, the expectation, and the update with its rows and sections.
  public var description: String { "\(location): \(text)" }

  var text: String {
    switch reason {
    case .unexpected(let expected, let got): "expected \(expected), got \(text(got))"
    case .ended(let expected): "expected \(expected), but the stream has ended"
    case .notAsserted(let update): "an update that no expectation asked for: \(text(update))"
    case .gap(let position, let got):
      "a gap: \(position.map { "\($0)" } ?? "nothing") is followed by \(text(got))"
    case .empty(let update): "an update that changes nothing: \(text(update))"
    case .wrongFold(let update): "the changes do not lead to the list: \(text(update))"
    case .refused(let error): error.description
    case .late(let expected, let limit): "expected \(expected), but there was no update within \(limit)"
    case .open(let expected, let limit): "expected \(expected), but it was still open after \(limit)"
    case .cancelled(let expected): "expected \(expected), but the waiting task was cancelled"
    case .stopped(let expected, let failure):
      "expected \(expected), but the recorder stopped at an earlier failure; mend that one, or make a new recorder: \(failure)"
    }
  }

  private func text(_ update: ListUpdate<Section, Row>) -> String {
    guard let previous = update.previous else {
      return "the whole list at \(update.position): \(update.snapshot)"
    }
    let (changes, after) = (update.changes, update.snapshot)
    func section(_ list: ListSnapshot<Section, Row>, _ index: Int) -> String {
      (0..<list.sectionCount).contains(index) ? "\(list.section(at: index))" : "a section that is not there"
    }
    func row(_ list: ListSnapshot<Section, Row>, _ path: RowPath) -> String {
      list.contains(path) ? "\(list.row(at: path))" : "a row that is not there"
    }
    let lines =
      lines(of: changes.sections, from: before, to: after, section)
      + lines(of: changes.rows, from: before, to: after, row)
    return (["revision \(previous) to \(update.revision): \(changes)"] + lines.prefix(60)).joined(separator: "\n  ")
  }

  /// Each operation, with its row or section.
  private func lines<Position>(
    of changes: Changeset<Position>, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>,
    _ value: (ListSnapshot<Section, Row>, Position) -> String
  ) -> [String] {
    changes.deletes.map { "delete \($0): \(value(before, $0))" }
      + changes.inserts.map { "insert \($0): \(value(after, $0))" }
      + changes.moves.map { "move \($0): \(value(after, $0.to))" }
      + changes.updates.map { "update \($0): \(value(before, $0.from)) → \(value(after, $0.to))" }
  }
}
