import Foundation
import RowcastTestSupport
import RowcastTesting
import Testing

@Suite(.watched) struct SeededGeneratorTests {
  @Test func `the environment gives the seed and the number of rounds`() async {
    // The environment belongs to the process.
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("ROWCAST_LONG")
      for (text, rounds) in [
        ("", 100), ("5", 500), ("0.2", 20), ("0.001", 1), (" 3 ", 300), ("1e17", 10_000), ("1e300", 10_000),
        ("inf", 10_000),
      ] {
        unsafe setenv("ROWCAST_ROUNDS", text, 1)
        let found = (SeededGenerator.rounds(100, long: 10_000), SeededGenerator.rounds(0, long: 9))
        precondition(found == (rounds, 0), "\(text): \(found)")
      }
      unsafe setenv("ROWCAST_LONG", "1", 1)
      precondition(SeededGenerator.rounds(100, long: 10_000) == 10_000)
      for text in ["42", " 42\n"] {
        unsafe setenv("ROWCAST_SEED", text, 1)
        var (random, again) = (SeededGenerator.forFuzzing("seeds"), SeededGenerator(seed: 42))
        precondition(random.next() == again.next(), text)
      }
      unsafe setenv("ROWCAST_SEED", "", 1)
      var (one, other) = (SeededGenerator.forFuzzing("seeds"), SeededGenerator.forFuzzing("seeds"))
      precondition(one.next() != other.next())
    }
  }
}
