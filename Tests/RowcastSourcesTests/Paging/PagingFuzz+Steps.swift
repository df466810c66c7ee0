@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PagingFuzz {
  /// Does what a feature says. Returns `false` if there was nothing to do.
  func perform(_ feature: PagingFeature) async throws -> Bool {
    switch feature {
    case .top, .window, .endsAreFailures: return true
    case .burst:
      // It is one when two things have been done in it.
      try await beginBurst()
      return false
    case .demand, .reload, .change, .sameQuery: try await act(.call(newCaller(), kind(feature), isCancelled: false))
    case .early: try await act(.call(newCaller(), anyKind(), isCancelled: true))
    case .cancel:
      if !isBusy, known.openCalls.isEmpty { _ = try await load() }
      guard let call = known.openCalls.filter({ calls[$0] != nil }).randomElement(using: &random) else { return false }
      try await act(.cancel(call))
    case .page, .edited, .lastPage, .emptyPage, .wrongPage, .fails:
      guard let load = try await load(), let answer = try await answer(feature) else { return false }
      try await act(.answer(load, answer))
    case .late:
      guard let load = try await lateLoad(), let answer = try await answer(number(0...2) == 0 ? .fails : .page)
      else { return false }
      try await act(.answer(load, answer))
    case .own, .spawn:
      let late = known.lateLoads.randomElement(using: &random)
      let current = try await load()
      guard let load = number(0...2) == 0 ? late ?? current : current ?? late, !isTold(load) else { return false }
      try await act(.ask(load, newCaller(), anyKind(), isAwaited: feature == .own))
    case .edit, .move, .removeSection, .addSection:
      guard !known.isFinished, let ops = ops(feature) else { return false }
      try await act(.edit(ops))
    case .finish:
      if known.isFinished { return false }
      try await act(.finish)
    case .attach: return try await attach()
    case .follow: return try await follow()
    case .accept, .refuse, .event, .refusedEvent, .deliver, .breaks, .ends, .pass, .retry, .detach, .drop:
      return try await performOnLine(feature)
    }
    return true
  }

  // MARK: - Pages

  private func kind(_ feature: PagingFeature) -> Model.Kind {
    switch feature {
    case .reload: .reload
    case .sameQuery: .change(known.query)
    case .change: .change(["x", "y", "z"].filter { $0 != known.query }.randomElement(using: &random) ?? "x")
    default: .demand
    }
  }

  private func anyKind() -> Model.Kind {
    kind([.demand, .demand, .reload, .change, .sameQuery].randomElement(using: &random) ?? .demand)
  }

  /// True if a load was told something since nothing happened.
  private func isTold(_ load: Model.LoadKey) -> Bool {
    pending.contains {
      switch $0 {
      case .answer(load, _), .ask(load, _, _, _): true
      default: false
      }
    }
  }

  /// The load that counts. If there is none, it is requested.
  private func load() async throws -> Model.LoadKey? {
    if !isBusy, known.currentLoad == nil, !known.isFinished {
      if !known.hasPages { try await act(.edit([.addSection("a")])) }
      if !isBusy, known.currentLoad == nil {
        try await act(.call(newCaller(), known.seen.isComplete ? .reload : .demand, isCancelled: false))
      }
    }
    return known.currentLoad.flatMap { isTold($0) ? nil : $0 }
  }

  /// A load whose answer is no longer wanted.
  private func lateLoad() async throws -> Model.LoadKey? {
    if !isBusy, known.lateLoads.isEmpty, !known.isFinished {
      for _ in 0..<8 where known.lateLoads.isEmpty && !isBusy {
        _ = try await load()
        if !isBusy { try await act(.call(newCaller(), .reload, isCancelled: false)) }
      }
    }
    return known.lateLoads.randomElement(using: &random).flatMap { isTold($0) ? nil : $0 }
  }

  private func answer(_ feature: PagingFeature) async throws -> Model.Answer? {
    var ids = (0..<14).shuffled(using: &random).prefix(number(1...4)).sorted()
    var next: Int? = number(1...99)
    switch feature {
    case .edited:
      for _ in 0..<4 where known.editedRows.isEmpty && !isBusy {
        guard let ops = ops(number(0...1) == 0 ? .edit : .move) else { break }
        try await act(.edit(ops))
      }
      guard let id = known.editedRows.randomElement(using: &random) else { return nil }
      ids = Set(ids + [id]).shuffled(using: &random)
    case .lastPage: next = nil
    case .emptyPage: (ids, next) = ([], number(0...1) == 0 ? next : nil)
    case .wrongPage:
      let present = Model.rows(known.parts)
      ids.append((0..<14).filter { present[$0] == nil }.randomElement(using: &random) ?? ids[0])
      ids += ids.suffix(1)
    case .fails:
      return .failure([Model.Fault.down, .busy, .refused, .cancelled].randomElement(using: &random) ?? .down)
    default: break
    }
    return .success(Model.Page(rows: ids.map { row($0) }, next: next))
  }

  // MARK: - Edits

  private func section() -> String { ["a", "a", "a", "b", "c"].randomElement(using: &random) ?? "a" }

  private func ops(_ feature: PagingFeature) -> [Model.Op]? {
    let rows = Model.rows(known.parts).keys.sorted()
    let sections = known.parts.map(\.id)
    switch feature {
    case .move:
      guard let id = rows.randomElement(using: &random), let section = sections.randomElement(using: &random) else {
        return nil
      }
      return [.move(id, section)]
    case .removeSection:
      guard let section = sections.randomElement(using: &random) else { return nil }
      // Some of its rows may stay in the list.
      let other = sections.randomElement(using: &random) ?? section
      let staying = rows.filter { _ in number(0...3) == 0 }
      return (number(0...1) == 0 ? staying.map { .move($0, other) } : []) + [.removeSection(section)]
    case .addSection:
      guard let section = ["a", "b", "c"].filter({ !sections.contains($0) }).randomElement(using: &random) else {
        return nil
      }
      let coming = rows.filter { _ in number(0...3) == 0 }
      return [.addSection(section)] + (number(0...1) == 0 ? coming.map { .move($0, section) } : [])
    default:
      return (0..<number(1...3)).map { _ in
        switch number(0...3) {
        case 0: .remove(rows.randomElement(using: &random) ?? 0)
        case 1: .update(row(rows.randomElement(using: &random) ?? 0))
        default: .put(row(number(0...13)), section())
        }
      }
    }
  }

  // MARK: - Lines

  /// The lines that continue, and are as requested.
  private func lines(_ isWanted: (Model.Line) -> Bool = { _ in true }) -> [Int] {
    known.lines.indices.filter { index in known.lines[index].map { !$0.status.isFinal && isWanted($0) } ?? false }
  }

  /// A line that is connected, or asks for a connection; one of the possible ones.
  private func line(isConnected: Bool, among candidates: [Int] = [0, 1]) async throws -> Int? {
    func wanted() -> [Int] { lines { isConnected ? $0.isConnected : $0.asks }.filter(candidates.contains) }
    if wanted().isEmpty, !isBusy {
      if lines().filter(candidates.contains).isEmpty, let index = candidates.randomElement(using: &random) {
        _ = try await index == 0 ? attach() : follow()
      }
      for index in lines({ $0.due != nil }) where candidates.contains(index) { try await act(.line(index, .retry)) }
      if isConnected {
        for index in lines(\.asks) where candidates.contains(index) && !isBusy { try await act(.line(index, .accept)) }
      } else if wanted().isEmpty, let index = lines(\.isConnected).first(where: candidates.contains), !isBusy {
        try await act(.line(index, .breaks(.down)))
        if lines().contains(index) { try await act(.line(index, .retry)) }
      }
    }
    return wanted().randomElement(using: &random)
  }

  private func performOnLine(_ feature: PagingFeature) async throws -> Bool {
    let fault = [Model.Fault.down, .down, .busy, .refused].randomElement(using: &random) ?? .down
    switch feature {
    case .accept, .refuse:
      guard let index = try await line(isConnected: false) else { return false }
      try await act(.line(index, feature == .accept ? .accept : .refuse(fault)))
    case .event, .refusedEvent:
      guard let index = try await line(isConnected: true, among: [0]), let ops = ops(.edit) else { return false }
      var event = Model.Line.Event(ops: ops)
      if feature == .refusedEvent { (event.isRefused, event.proceeds) = (true, number(0...1) == 0) }
      try await act(.line(index, .event(event)))
    case .deliver:
      try await settle()
      guard let index = try await line(isConnected: true, among: [1]) else { return false }
      try await act(.line(index, .deliver(revision: store.revision, isEnd: known.isFinished)))
      try await settle()
    case .breaks, .ends:
      guard let index = try await line(isConnected: true) else { return false }
      try await act(.line(index, feature == .ends ? .ends : .breaks(fault)))
    case .pass: try await act(.pass(number(0...7) == 0 ? 31 : number(1...4)))
    case .retry:
      if lines({ $0.due != nil }).isEmpty, !isBusy, let index = try await line(isConnected: false) {
        try await act(.line(index, .refuse(.down)))
      }
      guard let index = lines({ $0.due != nil }).randomElement(using: &random) else { return false }
      try await act(.line(index, .retry))
    case .detach, .drop:
      if lines().isEmpty, !isBusy { _ = try await number(0...1) == 0 ? attach() : follow() }
      guard let index = lines().randomElement(using: &random) else { return false }
      if feature == .drop { try await drop(index) } else { try await act(.line(index, .cancel)) }
    default: return false
    }
    return true
  }
}
