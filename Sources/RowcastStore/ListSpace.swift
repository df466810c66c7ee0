import RowcastDiff
public import RowcastModel

/// Stores that belong together: their transactions have one serial order, and one transaction may change several of them.
///
///     let space = ListSpace()
///     let orders = space.store(of: Order.self), customers = space.store(of: Customer.self)
///     try await space.edit(orders, customers) { orders, customers in
///       try customers.upsert(Customer(id: 7, name: "Ann"))
///       try orders.upsert(Order(id: 1, customerID: 7))
///     }
///
/// A list that merges, joins or arranges several stores of one space reads all of them at one moment: it never shows part of a
/// transaction. Stores of different spaces are read at different moments. A ``ListStore`` that no space has made is the only
/// store of its space.
///
/// Transactions of a space run one at a time, whichever of its stores they edit. Differences, and lists made of lists, are
/// computed elsewhere and delay none of them. A space is for lists that change together; an app may have many.
///
/// Stores keep their space alive, but a space does not keep its stores alive.
public final actor ListSpace {
  /// Creates a space without stores.
  public init() {}

  /// Creates a store in the space.
  ///
  /// - Parameters:
  ///   - snapshot: The list at revision 0; see ``ListStore/init(_:history:clock:)``.
  ///   - history: The former versions from which ``ListStore/updates(since:)`` and ``ListStore/message(since:)`` can continue.
  ///   - clock: Measures the age of versions.
  /// - Returns: The store, which lives as long as the app holds it.
  public nonisolated func store<Section: SectionViewModel, Row: RowViewModel, Time: Clock>(
    _ snapshot: ListSnapshot<Section, Row> = .init(), history: ListHistory = .none, clock: Time = ContinuousClock()
  ) -> ListStore<Section, Row> where Time.Duration == Duration {
    store(snapshot, epoch: ListPosition.randomEpoch(), history: history, clock: clock)
  }

  /// Creates a store of rows in the space, which has the ``SoleSection``; see ``store(_:history:clock:)``.
  ///
  /// - Returns: The store, which lives as long as the app holds it.
  public nonisolated func store<Row: RowViewModel, Time: Clock>(
    of rows: Row.Type, history: ListHistory = .none, clock: Time = ContinuousClock()
  ) -> ListStore<SoleSection, Row> where Time.Duration == Duration {
    store(history: history, clock: clock)
  }

  /// Creates a store with an epoch that no other list has, for tests and recordings that are the same each time.
  package nonisolated func store<Section: SectionViewModel, Row: RowViewModel, Time: Clock>(
    _ snapshot: ListSnapshot<Section, Row> = .init(), epoch: String, history: ListHistory = .none,
    clock: Time = ContinuousClock()
  ) -> ListStore<Section, Row> where Time.Duration == Duration {
    ListStore(in: self, snapshot, epoch: epoch, history: history, clock: clock)
  }
}

// MARK: - Transactions

extension ListSpace {
  /// Reads or changes stores of the space in one step.
  package func perform<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }

  /// Changes two stores of the space in one transaction.
  ///
  /// It happens in both stores or in none: if the body throws, both lists stay as they were, and the error is rethrown. Each
  /// store whose list has changed gets one revision. A body that changes nothing reads both lists at one moment.
  ///
  /// - Parameters:
  ///   - first: A store of this space.
  ///   - second: Another one.
  ///   - body: Edits the lists. It runs once, and cannot await.
  /// - Returns: The result of the body.
  /// - Throws: Any error of the body. ``ListStoreError/finished`` if one of the stores is,
  ///   ``ListStoreError/foreignStore(epoch:)`` and ``ListStoreError/repeatedStore(epoch:)``; the body has not run then.
  @discardableResult
  @inlinable
  public nonisolated func edit<Section1, Row1, Section2, Row2, Result: Sendable>(
    _ first: ListStore<Section1, Row1>, _ second: ListStore<Section2, Row2>,
    _ body: @Sendable (inout ListEditor<Section1, Row1>, inout ListEditor<Section2, Row2>) throws -> Result
  ) async throws -> Result {
    try check((first.core.space, first.epoch, first), (second.core.space, second.epoch, second))
    let result = try await onSharedExecutor { [first = first.core, second = second.core] () async throws in
      try await first.edit { first in
        try second.assumeIsolated {
          try $0.edit { second in
            (first.place, second.place) = (0, 1)
            defer { Self.checkPlaces(first.place, second.place) }
            return try body(&first, &second)
          }
        }
      }
    }
    return result
  }

  /// Changes three stores of the space in one transaction; see ``edit(_:_:_:)``.
  ///
  /// - Returns: The result of the body.
  /// - Throws: The errors of ``edit(_:_:_:)``.
  @discardableResult
  @inlinable
  public nonisolated func edit<Section1, Row1, Section2, Row2, Section3, Row3, Result: Sendable>(
    _ first: ListStore<Section1, Row1>, _ second: ListStore<Section2, Row2>, _ third: ListStore<Section3, Row3>,
    _ body:
      @Sendable (
        inout ListEditor<Section1, Row1>, inout ListEditor<Section2, Row2>, inout ListEditor<Section3, Row3>
      ) throws -> Result
  ) async throws -> Result {
    try check(
      (first.core.space, first.epoch, first), (second.core.space, second.epoch, second),
      (third.core.space, third.epoch, third))
    let cores = (first.core, second.core, third.core)
    let result = try await onSharedExecutor { () async throws in
      try await cores.0.edit { first in
        try cores.1.assumeIsolated {
          try $0.edit { second in
            try cores.2.assumeIsolated {
              try $0.edit { third in
                (first.place, second.place, third.place) = (0, 1, 2)
                defer { Self.checkPlaces(first.place, second.place, third.place) }
                return try body(&first, &second, &third)
              }
            }
          }
        }
      }
    }
    return result
  }

  /// Checks that no body has exchanged the editors, which would exchange the lists of the stores.
  @usableFromInline
  static func checkPlaces(_ places: Int...) {
    require(
      places == Array(places.indices),
      "the body of a transaction has exchanged its editors, \(places); each is for its own store: exchange the rows")
  }

  /// Checks that all stores belong to this space, and that none is given twice, which would deadlock.
  @usableFromInline
  nonisolated func check(
    _ stores: (space: ListSpace, epoch: String, actor: any Actor)...
  ) throws(ListStoreError) {
    for (index, store) in stores.enumerated() {
      if store.space !== self { throw .foreignStore(epoch: store.epoch) }
      if stores[..<index].contains(where: { $0.actor === store.actor }) { throw .repeatedStore(epoch: store.epoch) }
    }
  }
}
