#include "lanes.h"

#include <stdatomic.h>
#include <stddef.h>

extern SWIFT void swift_task_enqueueGlobal(void *job);
extern SWIFT uint64_t swift_task_getJobTaskId(void *job);

// MARK: The schedule of this thread

_Thread_local const SchedulesLane *schedules_current;

// The numbers of schedules that run now; 0 is free.
enum { laneLimit = 256 };
static _Atomic uint64_t alive[laneLimit];

static bool isAlive(uint64_t number) {
  for (int place = 0; place < laneLimit; place++) {
    if (atomic_load(&alive[place]) == number) return true;
  }
  return false;
}

void schedules_enter(const SchedulesLane *lane) {
  for (int place = 0; place < laneLimit; place++) {
    uint64_t none = 0;
    if (atomic_compare_exchange_strong(&alive[place], &none, lane->number)) break;
  }
  schedules_prepareThread();
  current = lane;
}

void schedules_leave(const SchedulesLane *lane) {
  current = NULL;
  schedules_forgetLine();
  for (int place = 0; place < laneLimit; place++) {
    uint64_t number = lane->number;
    if (atomic_compare_exchange_strong(&alive[place], &number, 0)) break;
  }
}

uint64_t schedules_number(void) { return current ? current->number : 0; }

void *schedules_context(uint64_t number) { return schedules_number() == number ? current->context : NULL; }

// MARK: Jobs from other threads. They stand in one list, linked through the words that a job has for its executor.

static _Atomic(void *) inbox;

static void **nextLink(void *job) { return &((void **)job)[2]; }
// The number of the schedule, doubled; odd for its main actor.
static uintptr_t *owner(void *job) { return &((uintptr_t *)job)[3]; }
static uint64_t ownerNumber(void *job) { return *owner(job) >> 1; }

static void push(void *job) {
  void *first = atomic_load(&inbox);
  do {
    *nextLink(job) = first;
  } while (!atomic_compare_exchange_weak(&inbox, &first, job));
}

// The schedule of a job has ended: it runs off all schedules, also if this thread is on one.
static void enqueueElsewhere(void *job) {
  const SchedulesLane *lane = current;
  current = NULL;
  swift_task_enqueueGlobal(job);
  current = lane;
}

void schedules_send(uint64_t number, void *job, bool isMain) {
  if (!isAlive(number)) {
    enqueueElsewhere(job);
    return;
  }
  *owner(job) = (uintptr_t)number << 1 | isMain;
  push(job);
}

void *schedules_receive(uint64_t number, bool *isMain) {
  if (!atomic_load(&inbox)) return NULL;
  void *job = atomic_exchange(&inbox, NULL);
  void *found = NULL;
  while (job) {
    void *next = *nextLink(job);
    if (ownerNumber(job) == number && !found) {
      found = job;
      *isMain = *owner(job) & 1;
    } else if (isAlive(ownerNumber(job))) {
      push(job);
    } else {
      enqueueElsewhere(job);
    }
    job = next;
  }
  return found;
}

// MARK: What a job is. Its flags follow a reference-counted object and the words of its executor.

uint8_t schedules_kind(const void *job) { return *(const uint8_t *)&((const uintptr_t *)job)[4]; }
uint64_t schedules_identity(void *job) { return swift_task_getJobTaskId(job); }
