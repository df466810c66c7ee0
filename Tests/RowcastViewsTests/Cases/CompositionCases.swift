/// Cases of ``CompositionFuzz`` that failed before. They are played first.
let compositionCases: [String] = []
