/* A disk that breaks on demand, between a program and the C library (LD_PRELOAD): what is in the file FAULT_FILE says how, for files under FAULT_DIR.
 * full: nothing more can be written · readonly: nothing can be changed · io: writing fails · fsync: what was written does not reach the disk · folder: new names do not */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_mode(const char *wanted) {
  const char *path = getenv("FAULT_FILE");
  char said[16] = {0};
  if (!path) return 0;
  int file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  if (file < 0) return 0;
  int kept = errno;
  long length = syscall(SYS_read, file, said, sizeof said - 1);
  syscall(SYS_close, file);
  errno = kept;
  return length > 0 && strncmp(said, wanted, strlen(wanted)) == 0;
}

static int is_inside(const char *path) {
  const char *folder = getenv("FAULT_DIR");
  return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int fd) {
  char link[40], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

static int refused(int number) {
  errno = number;
  return 1;
}
/* SQLite's shared memory is written through a map; its file grows by write. */
static int fails_to_write(int fd) {
  if (is_mode("full")) return is_ours(fd) && refused(ENOSPC);
  if (is_mode("readonly")) return is_ours(fd) && refused(EROFS);
  if (is_mode("io")) return is_ours(fd) && refused(EIO);
  return 0;
}
static int fails_to_change(const char *path) { return is_mode("readonly") && is_inside(path) && refused(EROFS); }

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) { return fails_to_write(fd) ? -1 : NEXT(write)(fd, data, size); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return fails_to_write(fd) ? -1 : NEXT(pwrite)(fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { return fails_to_write(fd) ? -1 : NEXT(pwrite64)(fd, data, size, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return fails_to_write(fd) ? -1 : NEXT(writev)(fd, parts, count); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return fails_to_write(fd) ? -1 : NEXT(pwritev)(fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return fails_to_write(fd) ? -1 : NEXT(pwritev64)(fd, parts, count, at); }
static int is_folder(int fd) {
  struct stat about;
  return is_mode("folder") && fstat(fd, &about) == 0 && S_ISDIR(about.st_mode) && is_ours(fd) && refused(EIO);
}
int fsync(int fd) { return is_folder(fd) ? -1 : is_mode("fsync") && is_ours(fd) && refused(EIO) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return is_mode("fsync") && is_ours(fd) && refused(EIO) ? -1 : NEXT(fdatasync)(fd); }
int rename(const char *from, const char *to) { return fails_to_change(to) ? -1 : NEXT(rename)(from, to); }
int unlink(const char *path) { return fails_to_change(path) ? -1 : NEXT(unlink)(path); }
int mkdir(const char *path, mode_t mode) { return fails_to_change(path) ? -1 : NEXT(mkdir)(path, mode); }
int link(const char *from, const char *to) { return fails_to_change(to) ? -1 : NEXT(link)(from, to); }

#define OPENING(name)                                                                        \
  int name(const char *path, int flags, ...) {                                               \
    mode_t mode = 0;                                                                         \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                     \
      va_list more;                                                                          \
      va_start(more, flags);                                                                 \
      mode = va_arg(more, mode_t);                                                           \
      va_end(more);                                                                          \
    }                                                                                        \
    if ((flags & O_ACCMODE) != O_RDONLY && fails_to_change(path)) return -1;                 \
    return NEXT(name)(path, flags, mode);                                                    \
  }
OPENING(open)
OPENING(open64)
