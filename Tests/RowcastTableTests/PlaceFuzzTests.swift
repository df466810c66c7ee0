import RowcastTestSupport
import Testing

/// Places, heights and focus through everything that can happen to a table, beside a model over arrays.
@Suite(.watched) struct PlaceFuzzTests {
  @Test func `R12, R13, R15, R16 rows, heights and focus are where a naive model has them, whatever happens`() throws {
    var random = SeededGenerator.forFuzzing("places")
    var operations = 0
    for _ in 0..<SeededGenerator.rounds(250, long: 70_000) {
      var driver = PlaceDriver(random)
      for _ in 0..<30 { try driver.step() }
      operations += driver.operations
      random = driver.random
    }
    print("places: \(operations) operations")
  }
}
