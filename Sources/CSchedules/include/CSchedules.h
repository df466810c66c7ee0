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

// A thread that runs jobs of schedules.
typedef struct SchedulesThread SchedulesThread;

// The line that repeats a schedule. It begins with a head, and grows by its switches. A handler of signals may only copy it.
typedef struct SchedulesLine SchedulesLine;

// A schedule. Its jobs run on one thread, or on several of which one runs at a time; the functions are called on that one only.
typedef struct {
  void *context;
  uint64_t number;
  SchedulesLine *line;
  // Whether the mutexes are noted that its jobs lock.
  bool notesLocks;
  // Whether another thread of the schedule may hold a lock.
  bool sharesLocks;
  SchedulesExecutor main;
  SchedulesExecutor tasks;
  // Where tasks arrive that the runtime had put into the queue of an actor.
  SchedulesExecutor gate;
  // The witness table by which an actor is an executor of a schedule.
  uintptr_t actors;
  void (*enqueue)(void *context, void *job, bool isMain);
  void (*enqueueAfter)(void *context, void *job, uint64_t nanoseconds);
  // The virtual time, in nanoseconds.
  uint64_t (*now)(void *context);
  // An immediate task runs next, before its creator continues. Callers are the return addresses of those who create the task, innermost
  // first, up to a zero.
  void (*create)(
    void *context, void *task, const char *name, bool hasExecutor, bool isImmediate, const uintptr_t *callers);
  // Runs jobs on this thread, until another is to go on, and returns that.
  SchedulesThread *(*work)(void *context);
  // Lets others run, because a lock is taken that the job of this thread asks for: by a thread with an identity, or by any if that is
  // 0. If it is none of this schedule's, waits a moment for it. Returns false if there are no others.
  bool (*block)(void *context, int holder);
  // In a copy of the process, is called when a signal ends it on this schedule. NULL elsewhere.
  void (*died)(void *context, int signal);
} SchedulesLane;

// This thread.
SchedulesThread *schedules_thread(void);
// A new thread, which runs schedules until it is ended; NULL if there can be none.
SchedulesThread *schedules_newThread(void);
// Wakes a thread, and waits until this one is woken. A thread that runs no job is given a schedule.
void schedules_pass(SchedulesThread *next, const SchedulesLane *lane);
// Whether a thread has an identity, by which locks say who holds them.
bool schedules_isThread(const SchedulesThread *thread, int identity);
// Ends a thread that runs no job.
void schedules_endThread(SchedulesThread *thread);
// Whether a task is being created on this thread, whose name is not known yet.
bool schedules_isCreating(void);
// Whether a job can be left: locks that are held then must be seen, which a sanitizer prevents.
bool schedules_canLeave(void);
// The return addresses of this thread, innermost first. Returns how many were written.
int schedules_callers(uintptr_t *callers, int limit);

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
// A line with a head. The line of the schedule of a thread is written to standard error if a signal ends the process there (a trap,
// an abort, a fault), and to the file that the environment variable ROWCAST_SCHEDULE_FILE names.
SchedulesLine *schedules_newLine(const char *head, size_t length);
// Adds to a line, in constant time for each byte.
void schedules_extend(SchedulesLine *line, const char *text, size_t length);
void schedules_freeLine(SchedulesLine *line);
// Runs a function in a copy of this process, on its only thread, and ends that. Returns what it reported, to be freed; NULL if it has
// not ended after some seconds.
char *schedules_inCopy(void (*body)(void *context), void *context, int seconds);
void schedules_report(const char *text, size_t length);
// The number of this thread's schedule; 0 if it is on none.
uint64_t schedules_number(void);
// The context of this thread's schedule, if that has the number; NULL if not.
void *schedules_context(uint64_t number);
// The executors of a schedule, as their jobs are told apart.
enum { schedulesTasks, schedulesMain, schedulesActor };
// Gives a job that another thread enqueued to the schedule with a number; if it has ended, to the actor, or to the global executor.
void schedules_send(uint64_t number, void *job, int place, uintptr_t actor);
// One job that another thread enqueued to the schedule with a number; NULL if there is none.
void *schedules_receive(uint64_t number, int *place, uintptr_t *actor);

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
// Enqueues a job on an actor that runs a task there, as one on an executor of the schedule. A job of kind 192 follows, unless
// another thread runs the actor: then that runs the task, off the schedule.
void schedules_occupy(uintptr_t actor, void *task);
// Lets the tasks of this schedule that are in the queue of an actor go to the gate, as soon as the actor runs them.
void schedules_divert(uintptr_t actor);
// The actor from whose queue a task has come to the gate. The task goes on from where it was.
uintptr_t schedules_arrival(void *task);
// The task that this thread runs; NULL for none.
void *schedules_currentTask(void);
// The number of a task's schedule; 0 if it was never on one.
uint64_t schedules_owner(const void *task);
// Makes a task one of this thread's schedule.
void schedules_own(void *task);

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
