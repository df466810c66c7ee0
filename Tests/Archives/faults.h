// Processes that are copies of this one, and system calls of them that fail.
#include <stddef.h>
#include <stdbool.h>

enum fault {
  FAULT_NONE,
  /// The process is killed before, or after, the call.
  FAULT_KILL_BEFORE,
  FAULT_KILL_AFTER,
  /// The call does nothing, or all that it should, and returns an error.
  FAULT_ERROR,
  FAULT_ERROR_AFTER,
  /// The call reads or writes half of the bytes.
  FAULT_SHORT
};

/// The calls of the next copy that name a file of a folder, or have one open, are counted. Those from the first on, or only that one, have a fault; 0 for none. A lasting one is only of the calls whose letters are given.
void faults_arm(const char *folder, enum fault fault, int code, int first, const char *lasting);
/// The number of calls since then.
int faults_count(void);
/// The letters of the calls: o and c for open with and without O_CREAT, x for close, and so on; see `faults.c`.
const char *faults_calls(void);
/// True if a call had a fault.
bool faults_hit(void);
/// The number of descriptors of counted files that this process has not closed.
int faults_open(void);

/// Copies this process, which must have one thread. Returns 0 in the copy, whose input and output are pipes to this one.
int process_fork(int *input, int *output);
/// Reads from a process until it has written a line or has ended, at most so many seconds. Returns the number of bytes, -1 if it
/// took too long.
long process_read(int output, char *buffer, size_t size, int seconds, bool isLine);
/// Kills a process, if it should be, closes the pipes and returns how it ended: its code, or 128 and a signal.
int process_end(int process, int input, int output, bool isKilled);
/// Stops a process amid its work, until it is resumed.
void process_stop(int process);
void process_resume(int process);
/// Runs a command of the shell; returns its code.
int process_run(const char *command);
/// Writes bytes to a pipe, or ends the process.
void process_write(int descriptor, const char *bytes, size_t size);
