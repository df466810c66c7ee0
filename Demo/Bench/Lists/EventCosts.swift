import RowcastDemoBench

/// The samples of one kind of event.
struct EventCosts {
  /// Nanoseconds an event, each the mean of a batch.
  var events: [Double] = []
  /// Nanoseconds of events that were timed one by one.
  var singleEvents: [Double] = []
  var differences: [Double] = []
  var singleDifferences: [Double] = []
  var releases: [Double] = []

  /// What there is to say about an event: for ``StoreEvent/diff1`` the difference is what counts.
  func figures(of event: StoreEvent) -> [(name: String, figure: EventReport.Figure)] {
    let isDifference = event == .diff1
    let figures: [(name: String, figure: EventReport.Figure)] = [
      ("per_event_ns", .nanoseconds(Samples(isDifference ? differences : events).median)),
      ("p99_ns", .nanoseconds(Samples(isDifference ? singleDifferences : singleEvents).percentile(0.99))),
    ]
    return figures + (isDifference ? [] : [("diff_ns", .nanoseconds(Samples(differences).median))])
      + [("release_ns", .nanoseconds(Samples(releases).median))]
  }
}
