// What the schedules of threads have in common with the hooks of the runtime.
#ifndef LANES_H
#define LANES_H

#include "CSchedules.h"

#define SWIFT __attribute__((swiftcall))

// The schedule of this thread.
extern _Thread_local const SchedulesLane *schedules_current;
#define current schedules_current

// Gives the handler of signals a stack of its own on this thread.
void schedules_prepareThread(void);

#endif
