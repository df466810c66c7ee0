// Archives of processes that are killed, whose system calls fail, and whose files others delete and replace.
//
//     archives faults|restarts|power FOLDER
//
// `faults.c` is linked to it, and `.ci/run archives` builds and runs it.
import Foundation

signal(SIGPIPE, SIG_IGN)
let arguments = CommandLine.arguments
check(arguments.count == 3, "usage: archives faults|restarts|power FOLDER")
switch arguments[1] {
case "faults": try FaultRuns(in: arguments[2]).run()
case "restarts":
  var runs = RestartRuns(in: arguments[2])
  try runs.run()
case "power":
  var runs = PowerRuns(in: arguments[2])
  try runs.run()
default: check(false, "no such work: \(arguments[1])")
}
