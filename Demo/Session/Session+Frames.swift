import Rowcast
import RowcastConsole

/// When frames are drawn.
struct FrameClock {
  /// When the last frame was begun.
  var last: ContinuousClock.Instant?
  /// When the next one will be.
  var due: ContinuousClock.Instant?
  /// Waits for that.
  var waiting: Task<Void, Never>?
}

extension Session {
  /// Makes sure that a frame is drawn at some time, now by default, or as soon after it as the frame rate allows.
  func wantFrame(at wanted: ContinuousClock.Instant = .now) {
    guard screen != nil else { return }
    let earliest = frames.last?.advanced(by: .seconds(1) / options.fps) ?? wanted
    let due = max(wanted, earliest)
    if let next = frames.due, next <= due { return }
    frames.due = due
    frames.waiting?.cancel()
    frames.waiting = Task {
      do { try await Task.sleep(until: due) } catch { return }
      await drawDueFrame()
    }
  }

  private func drawDueFrame() async {
    guard let screen else { return }
    frames.due = nil
    // Whoever wants a frame while the figures are fetched has to wait for the next.
    frames.last = .now
    if screen.wantsFigures { screen.showFigures(await figures()) }
    reportingFailure { try draw() }
    await pacer.shown(table.revision ?? 0)
    if !isSuspended, let next = screen.nextChange { wantFrame(at: next) }
  }

  private func figures() async -> ScreenStatus.Flow {
    let latencies = await pacer.latencies
    var flow = ScreenStatus.Flow()
    flow.events = await pacer.events
    flow.edits = table.revision ?? 0
    // The first list is no update of anything.
    flow.updates = max(0, updates - 1)
    if let p50 = latencies.percentile(0.5), let p99 = latencies.percentile(0.99) { flow.latency = (p50, p99) }
    return flow
  }

  func draw() throws {
    guard let screen, !isSuspended else { return }
    frames.last = .now
    try screen.draw(table)
  }

  /// Shows something on the last line instead of the help.
  func say(_ line: ScreenStatus.LastLine?) {
    screen?.status.lastLine = line
    wantFrame()
  }
}

// MARK: - Late results

extension Session {
  /// Hands a late result to the cell that it was loaded for, if that still shows the same row.
  func deliver(_ result: CellResult) async {
    var hasArrived = false
    // Any cell is a cell: this cannot be one of another class.
    reportingFailure { hasArrived = try table.deliver(to: result.token, as: Cell.self, result.deliver) }
    await result.settle(hasArrived)
    wantFrame()
  }
}
