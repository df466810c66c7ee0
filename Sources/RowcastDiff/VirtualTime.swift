/// Tells test helpers that the code runs on a schedule, whose timers may fire at any moment: true in the tasks of a body on a
/// schedule, but not in detached ones.
@TaskLocal package var isInVirtualTime = false
