/// Cases of ``CompositionFuzz`` that failed before. They are played first.
let compositionCases = ["0: sectioned 0, filter 280, explained 8"]
