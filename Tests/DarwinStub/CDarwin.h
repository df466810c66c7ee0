// The signatures of Darwin's C library that RowcastPlatform uses, as <unistd.h> and its neighbours declare them there.
// Numbers that differ between systems are those of Darwin. Compiled for type checks only.

typedef unsigned long size_t;
typedef long ssize_t;
typedef long long off_t;
typedef unsigned short mode_t;
typedef int pid_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef unsigned int nfds_t;
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned int sigset_t;

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_CLK_TCK 3
#define _SC_PAGESIZE 29
#define _SC_OPEN_MAX 5
long sysconf(int name);
void _exit(int status) __attribute__((__noreturn__));
char *strerror(int number);

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define F_GETFL 3
#define O_NONBLOCK 0x00000004
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_CLOEXEC 0x01000000
#define F_SETFD 2
#define F_DUPFD_CLOEXEC 67
#define F_GETFD 1
#define F_SETFL 4
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define LOCK_EX 0x02
#define LOCK_UN 0x08
#define LOCK_NB 0x04
int pipe(int ends[2]);
int close(int descriptor);
ssize_t read(int descriptor, void *bytes, size_t count);
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t write(int descriptor, const void *bytes, size_t count);
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
int ftruncate(int descriptor, off_t size);
int fsync(int descriptor);
int flock(int descriptor, int operation);

#define POLLIN 0x0001
#define POLLOUT 0x0004
struct pollfd {
  int fd;
  short events;
  short revents;
};
int poll(struct pollfd *requests, nfds_t count, int timeout);

struct timespec {
  long tv_sec;
  long tv_nsec;
};
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  unsigned short st_nlink;
  ino_t st_ino;
  struct timespec st_mtimespec;
  off_t st_size;
};
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
int fchmod(int descriptor, mode_t mode);
char *realpath(const char *path, char *resolved);
ssize_t readlink(const char *path, char *target, size_t size);
int rename(const char *path, const char *name);
int unlink(const char *path);

typedef struct { int descriptor; } DIR;
struct dirent {
  ino_t d_ino;
  unsigned short d_reclen;
  unsigned short d_namlen;
  unsigned char d_type;
  char d_name[1024];
};
DIR *opendir(const char *path);
struct dirent *readdir(DIR *directory);
int closedir(DIR *directory);

struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};
struct termios {
  tcflag_t c_iflag;
  tcflag_t c_oflag;
  tcflag_t c_cflag;
  tcflag_t c_lflag;
  cc_t c_cc[20];
  unsigned long c_ispeed;
  unsigned long c_ospeed;
};
#define ECHO 0x00000008
#define ICANON 0x00000100
#define IEXTEN 0x00000400
#define IXON 0x00000200
#define ISIG 0x00000080
#define VINTR 8
#define VQUIT 9
#define VSUSP 10
#define VMIN 16
#define VTIME 17
#define TCSANOW 0
int isatty(int descriptor);
int tcgetattr(int descriptor, struct termios *modes);
int tcsetattr(int descriptor, int when, const struct termios *modes);

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGKILL 9
#define SIGTERM 15
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGCHLD 20
#define SIGURG 16
#define SIGIO 23
#define SIGINFO 29
#define SIGCONT 19
#define SIGWINCH 28
typedef struct {
  int si_signo;
  int si_errno;
  int si_code;
  pid_t si_pid;
  void *si_addr;
} siginfo_t;
#define SI_USER 0x10001
union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, siginfo_t *, void *);
};
struct sigaction {
  union __sigaction_u __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
#define SA_ONSTACK 0x0001
#define SA_RESTART 0x0002
#define SA_SIGINFO 0x0040
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
int sigemptyset(sigset_t *signals);
int sigfillset(sigset_t *signals);
int sigaddset(sigset_t *signals, int number);
int sigismember(const sigset_t *signals, int number);
int pthread_sigmask(int how, const sigset_t *signals, sigset_t *former);
#define SS_DISABLE 0x0004
typedef struct {
  void *ss_sp;
  size_t ss_size;
  int ss_flags;
} stack_t;
int sigaltstack(const stack_t *stack, stack_t *former);
typedef unsigned long pthread_key_t;
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
void *malloc(size_t size);
void free(void *memory);
int atexit(void (*handler)(void));
int sigaction(int number, const struct sigaction *action, struct sigaction *former);
void (*signal(int number, void (*handler)(int)))(int);
int kill(pid_t process, int number);
pid_t getpid(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t getsid(pid_t process);
pid_t tcgetpgrp(int descriptor);
#define TCIFLUSH 1
int tcflush(int descriptor, int queue);
int raise(int number);

#define EPERM 1
#define EACCES 13
#define EINVAL 22
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENOMEM 12
#define ENFILE 23
#define EMFILE 24
#define ENOTDIR 20
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
