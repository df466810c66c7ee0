/// Tells tests' helpers that the code runs on a schedule, whose timers may fire at any moment: true in the tasks of a body on a
/// schedule; detached ones do not know.
@TaskLocal package var isInVirtualTime = false
