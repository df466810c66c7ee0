/// Cases of ``CompositionFuzz`` that failed before. They are played first.
let compositionCases = [
  "0: sectioned 0, filter 280, explained 8",
  """
  724399: withSummary 370423, asRows 316239, neighbours 570312, sorted 749350, filter 229347, asRows 261498, explained 890976
  """,
  """
  753455: withMany 865914, recent 198122, map 462072, recent 42078, excluding 991165, later 473954, later 675674, \
  joinedByKeys 46352, switched 777100, switched 683057, switched 82867, later 983637, choose 410878
  """,
  """
  941777: flatMap 265665, loading 293180, switched 769638, turn 374365, withMany 536882, choose 561033, burst 65597, \
  merged 587909, map 561557, choose 393077
  """,
]
