// The hooks of the Swift concurrency runtime that put work on a schedule, and what a schedule reads of a task.
//
// The runtime calls a hook for each job of the global executor, for each delay, and when it asks which executor is the
// main one. A hook is a C function without a context, so the schedule of a thread stands in a thread-local variable.
#ifndef CSCHEDULES_H
#define CSCHEDULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An executor as the runtime passes it: the object and its witness table.
typedef struct {
  uintptr_t identity;
  uintptr_t witnesses;
} SchedulesExecutor;

// A schedule that runs on a thread. The functions are called on that thread only.
typedef struct {
  void *context;
  uint64_t number;
  // Whether the mutexes are noted that its jobs lock.
  bool notesLocks;
  SchedulesExecutor main;
  SchedulesExecutor tasks;
  // Where tasks wait to enter an actor.
  SchedulesExecutor gate;
  void (*enqueue)(void *context, void *job, bool isMain);
  void (*enqueueAfter)(void *context, void *job, uint64_t nanoseconds);
  // The virtual time, in nanoseconds.
  uint64_t (*now)(void *context);
  // Callers are the return addresses of those who create the task, innermost first, up to a zero.
  void (*create)(void *context, void *task, const char *name, bool hasExecutor, const uintptr_t *callers);
} SchedulesLane;

// Whether locks can be noted: not under a sanitizer, which has such functions of its own.
bool schedules_notesLocks(void);
// The mutexes that were locked on this thread since they were forgotten; a count of -1 if there were too many.
const uintptr_t *schedules_locks(int *count);
void schedules_forgetLocks(void);

// Whether this platform has the hooks. Without them a schedule has only the jobs of its own executors, and all that reads a task
// below, from `schedules_isAsyncLet` on, knows nothing.
bool schedules_areSupported(void);
// Sets the hooks. They stay set: off a schedule they pass everything on.
void schedules_install(void);

// Puts this thread on a schedule, or takes it off (NULL). The number is alive in between.
void schedules_enter(const SchedulesLane *lane);
void schedules_leave(const SchedulesLane *lane);
// Keeps the line that repeats the schedule of this thread. If a signal ends the process (a trap, an abort, a fault), the line is
// written to standard error, and to the file that the environment variable ROWCAST_SCHEDULE_FILE names.
void schedules_note(const char *text, size_t length);
// The number of this thread's schedule; 0 if it is on none.
uint64_t schedules_number(void);
// The context of this thread's schedule, if that has the number; NULL if not.
void *schedules_context(uint64_t number);
// Gives a job that another thread enqueued to the schedule with a number; if it has ended, to the global executor.
void schedules_send(uint64_t number, void *job, bool isMain);
// One job that another thread enqueued to the schedule with a number; NULL if there is none.
void *schedules_receive(uint64_t number, bool *isMain);

// What a job is: 0 is a task, 192 and 193 a default actor that has work.
uint8_t schedules_kind(const void *job);
uint64_t schedules_identity(void *job);
bool schedules_isAsyncLet(const void *task);
// The functions that wait for each other in a suspended task, innermost first. Returns how many were written.
int schedules_backtrace(const void *task, uintptr_t *functions, int limit);
bool schedules_isComplete(const void *task);
bool schedules_isCancelled(const void *task);
// What a suspended task waits for: 0 nothing known, 1 a task, 2 a continuation, 3 a group,
// 4 an actor, 5 an executor that is no part of the schedule, 6 one that is.
int schedules_dependency(const void *task, uintptr_t *object);
// The actor whose work a job of kind 192 or 193 is.
uintptr_t schedules_actor(const void *job);
// The actor that a task is about to enter; 0 if it is not.
uintptr_t schedules_entered(const void *task);

void schedules_cancel(void *task);
void schedules_retain(void *object);
void schedules_release(void *object);
// The memory of an object, which is deinitialised all the same.
void schedules_retainMemory(void *object);
void schedules_releaseMemory(void *object);
// A readable name of a mangled one, to be freed; NULL if the name is not mangled.
char *schedules_demangle(const char *mangled, uintptr_t length);
// The address of a function whose name in the symbol table is known: where the program was loaded.
uintptr_t schedules_anchor(void);

#endif
