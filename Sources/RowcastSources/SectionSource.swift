public import RowcastModel
public import RowcastStore

/// A source that feeds one section of a list, and shows its status in the section's phase.
///
/// Several of them feed one list from different places, each with its own policy:
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
  let bind: @Sendable (StoreCore<Section, Row>) -> SourceBinding

  /// A source whose events are edits.
  ///
  /// - Parameters:
  ///   - section: The section, for a list that does not have it yet.
  ///   - policy: The reaction when `events`, or the sequence that it made, throws.
  ///   - coalescing: When events are applied. Those of one window are one transaction.
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
    bind = { core in
      core.bind(
        retrying: policy, coalescing: coalescing, keeping: burst, clock: clock, from: events,
        // A finished store, or a list without the section, cannot show it.
        note: { status in try? await core.edit { try $0.note(status, of: id) } }, onRejection: onRejection
      ) { list, event in
        try apply(&list, event)
        if list.index(ofSection: id) != nil { try list.markLoaded(id) }
      }
    }
  }

  /// A source where each event is all the rows of the section. Of those in one window the newest counts.
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
  /// Sections that the list does not have are put at its end, in the order of the sources; all of them are loading then.
  ///
  /// To attach a source again, cancel its former binding and await the `outcome` of that first: it may set the phase to `idle`.
  ///
  /// - Parameter sources: Several may feed one section.
  /// - Returns: The ties to the sources, in their order. Cancel or drop them to detach the sources.
  /// - Throws: ``ListStoreError/finished`` after ``ListStore/finish()``; nothing is attached then.
  public nonisolated func attach(_ sources: [SectionSource<Section, Row>]) async throws -> [SourceBinding] {
    try await onSharedExecutor {
      try await core.edit { list in
        for source in sources {
          if list.index(ofSection: source.section.id) == nil { try list.append(source.section) }
          try list.setPhase(.loading, of: source.section.id)
        }
      }
    }
    return sources.map { $0.bind(core) }
  }
}

extension ListEditor where Section: PhasedSection {
  /// Shows the status of a source in the phase of its section.
  fileprivate mutating func note(_ status: SourceStatus, of id: Section.ID) throws {
    switch status {
    case .connecting: try setPhase(.loading, of: id)
    case .live: break
    case .waiting(_, _, let error): try setPhase(.failed(message: "\(error)", retry: .automatic), of: id)
    case .failed(let error): try setPhase(.failed(message: "\(error)", retry: .onRequest), of: id)
    case .ended: try markLoaded(id)
    case .cancelled:
      switch section(id)?.phase {
      case .loading, .failed(_, .automatic): try setPhase(.idle, of: id)
      default: break
      }
    }
  }
}
