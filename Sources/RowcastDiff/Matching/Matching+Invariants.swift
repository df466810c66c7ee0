extension Matching {
  /// Checks, in debug builds, the promises that every phase keeps.
  ///
  /// - Parameter phase: The latest phase, for the message.
  /// - Complexity: O(r + n / 64) for r runs and n elements; nothing in release builds.
  @inlinable
  func checkInvariants(_ phase: String) { assert(check(phase)) }

  /// Checks everything; traps with the values that are wrong.
  @usableFromInline
  func check(_ phase: String) -> Bool {
    func require(_ condition: Bool, _ message: @autoclosure () -> String) {
      precondition(condition, "After \(phase): \(message())")
    }
    return withScratch { scratch in
      let taken = BitSet(limit: lineCount.old, in: scratch.array(of: UInt64.self))
      var (newEnd, count, moveCount, stayEnd) = (0, 0, 0, 0)
      var (changedCount, disordered) = (0, Run?.none)
      for index in 0..<runs.count {
        let run = runs[index]
        require(run.count > 0 && abs(run.weight) >= run.count, "run \(index) is \(run)")
        require(run.new >= newEnd && run.newRange.upperBound <= lineCount.new, "\(run) begins before \(newEnd)")
        require(run.old >= 0 && run.oldRange.upperBound <= lineCount.old, "\(run) is not below \(lineCount.old)")
        require(taken.count(in: run.oldRange) == 0, "an old element of \(run) is in two runs")
        taken.insert(run.oldRange)
        newEnd = run.newRange.upperBound
        count += Int(run.count)
        changedCount += changed.count(in: run.newRange)
        if run.isMoving {
          moveCount -= Int(run.weight)
        } else {
          if run.old < stayEnd { disordered = run }
          stayEnd = run.oldRange.upperBound
        }
      }
      require(count == survivorCount, "\(count) survivors are counted as \(survivorCount)")
      let haveChosen = isInOrder || self.moveCount > 0 || phase == "choosing moves"
      require(disordered == nil || !haveChosen, "\(disordered as Any) stays, and so does one before it that ends later")
      if !phase.hasPrefix("following") {
        let left = (old: oldUnmatched.count, new: newUnmatched.count)
        require(
          count + left.old == lineCount.old && count + left.new == lineCount.new,
          "\(left) are left of \(lineCount), and \(count) survived")
      }
      require(changedCount == changed.count(in: 0..<lineCount.new), "a row that did not survive has changed")
      require(moveCount == self.moveCount, "\(moveCount) moves are counted as \(self.moveCount)")
      return true
    }
  }
}
