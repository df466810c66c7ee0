import Testing

@testable import RowcastConsole

@Suite(.watched) struct TerminalTests {
  @Test(arguments: [
    (["COLUMNS": "100", "LINES": "30"], TerminalSize(columns: 100, lines: 30)),
    ([:], TerminalSize(columns: 80, lines: 24)),
    (["COLUMNS": "wide"], TerminalSize(columns: 80, lines: 24)),
    (["COLUMNS": "-5", "LINES": "0"], TerminalSize(columns: 1, lines: 1)),
    (["COLUMNS": "99999999", "LINES": "99999999"], TerminalSize(columns: 1_000, lines: 500)),
  ])
  func `a size that is not reported comes from the environment, and is never absurd`(
    environment: [String: String], expected: TerminalSize
  ) {
    #expect(TerminalSize.resolved(reported: nil, environment: environment) == expected)
    let reported = TerminalSize(columns: 7, lines: 3)
    #expect(TerminalSize.resolved(reported: reported, environment: environment) == reported)
  }

  @Test(arguments: [
    (ColorPolicy.always, false, ["NO_COLOR": "1"], true),
    (.never, true, ["CLICOLOR_FORCE": "1"], false),
    (.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["TERM": "dumb"], false),
    (.auto, true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.auto, false, ["CLICOLOR_FORCE": "1"], true),
    (.auto, false, ["CLICOLOR_FORCE": "0"], false),
  ])
  func `colour is decided by flag, NO_COLOR, CLICOLOR_FORCE and terminal, in this order`(
    policy: ColorPolicy, isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    #expect(policy.isOn(isTerminal: isTerminal, environment: environment) == expected)
  }
}
