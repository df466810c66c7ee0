/// Cases of ``CompositionFuzz`` that failed before. They are played first.
let compositionCases = [
  "0: sectioned 0, filter 280, explained 8",
  """
  724399: withSummary 370423, asRows 316239, neighbours 570312, sorted 749350, filter 229347, asRows 261498, explained 890976
  """,
]
