public import RowcastModel
public import RowcastStore

/// A source that feeds one section of a list, and shows its status in the section's phase.
///
/// Several sources feed one list from different places, each with its own policy:
///
///     let bindings = try await store.attach([
///       SectionSource(Channel(id: "mail"), rows: { mail.folders() }),
///       SectionSource(Channel(id: "chat"), retrying: .backOff()) { try await chat.connect() } apply: { list, event in
///         try list.append(Message(event), to: "chat")
///       },
///     ])
///
/// The section is loading until the first event, loaded or empty after each, and failed until the next attempt or, if there
/// is none, for good. Its rows stay whatever happens. A source that was given up can be attached again.
public struct SectionSource<Section: PhasedSection, Row: RowViewModel>: Sendable {
  /// The section, for a list that does not have it yet.
  package let section: Section
  /// Ties the source to a list that has the section.
  let bind: @Sendable (StoreCore<Section, Row>, _ number: Int) -> SourceBinding

  /// A source whose events are edits.
  ///
  /// - Parameters:
  ///   - section: The section, for a list that does not have it yet.
  ///   - policy: The reaction when `events`, or the sequence that it made, throws.
  ///   - coalescing: When events are applied. The events of one window are one transaction.
  ///   - clock: The clock for waits and windows.
  ///   - events: Makes a sequence for each subscription.
  ///   - onRejection: Decides how to continue when `apply` threw, which undid that event. The default is to stop.
  ///   - apply: Turns one event into edits of the list. It may edit other sections as well.
  public init<Events: AsyncSequence>(
    _ section: Section, retrying policy: RetryPolicy = .backOff(), coalescing: Coalescing = .none,
    clock: some Clock<Duration> = ContinuousClock(),
    from events: @escaping @Sendable () async throws -> Events,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    self.init(
      section, retrying: policy, coalescing: coalescing, keeping: .all, clock: clock, from: events,
      onRejection: onRejection, apply: apply)
  }

  private init<Events: AsyncSequence>(
    _ section: Section, retrying policy: RetryPolicy, coalescing: Coalescing, keeping burst: BurstPolicy,
    clock: some Clock<Duration>, from events: @escaping @Sendable () async throws -> Events,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    self.section = section
    let (id, clock) = (section.id, AnyClock(clock))
    bind = { core, number in
      core.bind(
        retrying: policy, coalescing: coalescing, keeping: burst, clock: clock, from: events,
        note: { await core.note($0, of: number, in: id) },
        onRejection: { event, error in
          let response = await onRejection(event, error)
          if response == .proceed { try? await core.edit { try $0.markLoaded(id) } }
          return response
        }
      ) { list, event in
        try apply(&list, event)
        if list.index(ofSection: id) != nil { try list.markLoaded(id) }
      }
    }
  }

  /// A source where each event is all the rows of the section. Of the events in one window the newest counts.
  ///
  /// `rows` makes a sequence for each subscription. The other parameters are those of
  /// ``init(_:retrying:coalescing:clock:from:onRejection:apply:)``.
  public init<Events: AsyncSequence>(
    _ section: Section, retrying policy: RetryPolicy = .backOff(), coalescing: Coalescing = .none,
    clock: some Clock<Duration> = ContinuousClock(),
    rows: @escaping @Sendable () async throws -> Events
  ) where Events.Element == [Row], Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    let id = section.id
    self.init(
      section, retrying: policy, coalescing: coalescing, keeping: .newest, clock: clock, from: rows
    ) { list, rows in
      try list.replaceRows(in: id, with: rows)
    }
  }
}

extension ListStore where Section: PhasedSection {
  /// Attaches sources that feed a section each.
  ///
  /// Sections that the list does not have are added at its end, in the order of the sources; all of them are loading then.
  ///
  /// A section whose source is cancelled while it is loading is `idle`, unless another source has been attached to it.
  ///
  /// - Parameter sources: Several may feed one section.
  /// - Returns: The ties to the sources, in their order. Cancel or drop them to detach the sources.
  /// - Throws: ``ListStoreError/finished`` after ``ListStore/finish()``; nothing is attached then.
  public nonisolated func attach(_ sources: [SectionSource<Section, Row>]) async throws -> [SourceBinding] {
    var number = try await onSharedExecutor { try await core.attach(sources) }
    var bindings: [SourceBinding] = []
    for source in sources {
      bindings.append(source.bind(core, number))
      number += 1
    }
    return bindings
  }
}

extension StoreCore where Section: PhasedSection {
  /// Notes that sources are attached to sections. Returns the number of the first source.
  fileprivate func attach(_ sources: [SectionSource<Section, Row>]) throws -> Int {
    try edit { list in
      for source in sources {
        let id = source.section.id
        if list.index(ofSection: id) == nil { try list.append(source.section) }
        try list.setPhase(.loading, of: id)
      }
    }
    for source in sources {
      sourcePhases[source.section.id, default: []].append((sourceCount, .loading, false))
      sourceCount += 1
    }
    return sourceCount - sources.count
  }

  /// Shows the status of a source in the phase of its section.
  fileprivate func note(_ status: SourceStatus, of source: Int, in id: Section.ID) {
    let phase: SectionPhase? =
      switch status {
      case .connecting: .loading
      case .waiting(_, _, let error): .failed(message: "\(error)", retry: .automatic)
      case .failed(let error): .failed(message: "\(error)", retry: .onRequest)
      case .live, .ended, .cancelled: nil
      }
    var phases = sourcePhases[id] ?? []
    var wasRestored = false
    if let index = phases.firstIndex(where: { $0.source == source }) {
      wasRestored = phases[index].isRestored
      if status.isFinal { phases.remove(at: index) } else { phases[index] = (source, phase ?? .loaded, false) }
    }
    // A finished store, or a list without the section, cannot show it.
    try? edit { list in
      switch (status, list.section(id)?.phase) {
      case (.ended, _): try list.markLoaded(id)
      case (.cancelled, .loading), (.cancelled, .failed(_, .automatic)):
        if phases.isEmpty { return try list.setPhase(.idle, of: id) }
        if let newest = phases.lastIndex(where: { $0.phase != .loaded }) {
          try list.setPhase(phases[newest].phase, of: id)
          phases[newest].isRestored = true
        } else {
          try list.markLoaded(id)
        }
      // The event was applied before the other source was cancelled.
      case (.live, .loading) where wasRestored && phases.allSatisfy { $0.phase == .loaded }: try list.markLoaded(id)
      default: if let phase { try list.setPhase(phase, of: id) }
      }
    }
    sourcePhases[id] = phases.isEmpty ? nil : phases
  }
}
