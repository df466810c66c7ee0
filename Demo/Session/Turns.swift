/// Runs bodies one after the other, in the order in which they are added.
struct Turns {
  /// The newest turn, for which the next one waits.
  private var last: Task<Void, Never>?

  mutating func add<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Task<Result, Never> {
    let turn = Task { [last] in
      await last?.value
      return await body()
    }
    last = Task { _ = await turn.value }
    return turn
  }
}
