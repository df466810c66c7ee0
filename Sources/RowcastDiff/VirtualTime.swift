/// Tells tests' helpers that the code runs on a schedule, whose timers may fire at any moment.
package enum VirtualTime {
  /// True in the tasks of a body on a schedule; detached ones do not know.
  @TaskLocal package static var isOn = false
}
