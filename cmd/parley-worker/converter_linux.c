//go:build linux

// A converter is a program that an administrator has installed, for files that none of
// our libraries can read. Its makers are trusted, the files that it reads are not. It
// needs to start programs and to talk to them, so it has another sandbox than a worker:
//
//   parley-worker converting <root> <uid> <address> <data> <cpu> <files> <filesize> <program> <input> <output>
//
// It sees a file system of its own: the programs and libraries of the machine and the
// folder of its own program, all read-only, and /work with its input and the folder for
// its output. It has no network, no capabilities and no files of other users; it may use
// sockets between its own processes. On a machine that does not allow this, no converter
// is run.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox_linux.h"

// make_folders makes a folder and its parents, below the current folder of the process.
static void make_folders(const char *path) {
	char at[PATH_MAX];
	if (snprintf(at, sizeof(at), "%s", path) >= (int)sizeof(at)) parley_fail("a path that is too long");
	for (char *c = at + 1; *c; c++) {
		if (*c != '/') continue;
		*c = 0;
		if (mkdir(at, 0755) != 0 && errno != EEXIST) parley_fail("folder");
		*c = '/';
	}
	if (mkdir(at, 0755) != 0 && errno != EEXIST) parley_fail("folder");
}

// locked returns the options of a mount that a user's own namespace may not remove.
static unsigned long locked(const char *path) {
	struct statvfs s;
	unsigned long flags = 0;
	if (statvfs(path, &s) != 0) return 0;
	if (s.f_flag & ST_NOEXEC) flags |= MS_NOEXEC;
	if (s.f_flag & ST_NOATIME) flags |= MS_NOATIME;
	if (s.f_flag & ST_NODIRATIME) flags |= MS_NODIRATIME;
	if (s.f_flag & ST_RELATIME) flags |= MS_RELATIME;
	return flags;
}

// show mounts a folder or a file of the machine at the same path of the new root, which
// is the current folder of the process, read-only. A path that the machine does not have
// is left out; a symbolic link is copied as a link.
static void show(const char *path, int devices) {
	char to[PATH_MAX], link[PATH_MAX];
	struct stat s;
	if (lstat(path, &s) != 0) return;
	if (snprintf(to, sizeof(to), ".%s", path) >= (int)sizeof(to)) parley_fail("a path that is too long");
	if (S_ISLNK(s.st_mode)) {
		ssize_t n = readlink(path, link, sizeof(link) - 1);
		if (n < 0) parley_fail("link");
		link[n] = 0;
		if (symlink(link, to) != 0 && errno != EEXIST) parley_fail("link");
		return;
	}
	if (S_ISDIR(s.st_mode)) {
		make_folders(to);
	} else {
		int f = open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
		if (f < 0) parley_fail("file");
		close(f);
	}
	if (mount(path, to, NULL, MS_BIND, NULL) != 0) parley_fail(path);
	unsigned long flags = MS_BIND | MS_REMOUNT | MS_NOSUID | locked(path);
	if (!devices) flags |= MS_RDONLY | MS_NODEV;
	if (mount(NULL, to, NULL, flags, NULL) != 0) parley_fail(path);
}

// own_root makes the file system that the program sees, and makes it the root of the process.
static void own_root(const char *folder, const char *program) {
	char work[PATH_MAX], at[PATH_MAX], real[PATH_MAX];
	if (snprintf(work, sizeof(work), "%s/work", folder) >= (int)sizeof(work)) parley_fail("a path that is too long");
	if (snprintf(at, sizeof(at), "%s/root", folder) >= (int)sizeof(at)) parley_fail("a path that is too long");
	if (unshare(CLONE_NEWNS) != 0) parley_fail("own mounts");
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) parley_fail("own mounts");
	if (mount("tmpfs", at, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755") != 0) parley_fail("own root");
	if (chdir(at) != 0) parley_fail("own root");

	make_folders("./etc");
	make_folders("./dev");
	// Programs and libraries need these. No folder is among them in which an operator may keep secrets.
	const char *shown[] = {
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt",
		"/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
		"/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/libreoffice", "/etc/java-17-openjdk",
	};
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) show(shown[i], 0);
	const char *devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) show(devices[i], 1);

	// The folder of the program, if it is not below one of the folders above.
	if (realpath(program, real) == NULL) parley_fail("converter");
	char *end = strrchr(real, '/');
	if (end != NULL && end != real) {
		*end = 0;
		char inside[PATH_MAX];
		if (snprintf(inside, sizeof(inside), ".%s", real) >= (int)sizeof(inside)) parley_fail("a path that is too long");
		if (access(inside, F_OK) != 0) show(real, 0);
	}

	make_folders("./work");
	if (mount(work, "./work", NULL, MS_BIND, NULL) != 0) parley_fail("work");
	if (mount(NULL, "./work", NULL, MS_BIND | MS_REMOUNT | MS_NOSUID | MS_NODEV | locked(work), NULL) != 0) parley_fail("work");
	// If the program is below /tmp, that folder exists already and stays; TMPDIR names the folder for its own files.
	if (symlink("work/tmp", "./tmp") != 0 && errno != EEXIST) parley_fail("tmp");
	make_folders("./proc");
	// It shows only the processes of the converter. Some machines do not allow it, and many programs do not need it.
	if (mount("proc", "./proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) rmdir("./proc");
	if (mount(NULL, ".", NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, "size=1m,mode=755") != 0) parley_fail("own root");

	if (syscall(SYS_pivot_root, ".", ".") != 0) parley_fail("own root");
	if (umount2(".", MNT_DETACH) != 0) parley_fail("own root");
	if (chdir("/work") != 0) parley_fail("work");
}

// filter_converter refuses the system calls that change the machine or make namespaces,
// and all sockets but Unix sockets.
static void filter_converter(void) {
#ifdef PARLEY_ARCH
	struct sock_filter filter[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PARLEY_ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
#ifdef __x86_64__
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
		REFUSE(ENOSYS),
#endif
		DENY(__NR_ptrace), DENY(__NR_process_vm_readv), DENY(__NR_process_vm_writev), DENY(__NR_mount), DENY(__NR_umount2),
		DENY(__NR_pivot_root), DENY(__NR_chroot), DENY(__NR_unshare), DENY(__NR_setns), DENY(__NR_bpf), DENY(__NR_perf_event_open),
		DENY(__NR_io_uring_setup), DENY(__NR_open_by_handle_at), DENY(__NR_keyctl), DENY(__NR_add_key), DENY(__NR_request_key),
		DENY(__NR_userfaultfd), DENY(__NR_init_module), DENY(__NR_finit_module), DENY(__NR_kexec_load), DENY(__NR_open_tree),
		DENY(__NR_move_mount), DENY(__NR_fsopen), DENY(__NR_fsmount),
		// clone3 hides its flags behind a pointer; glibc falls back to clone.
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
		REFUSE(ENOSYS),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
			 CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP, 0, 1),
		REFUSE(EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
		REFUSE(EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) parley_fail("calls");
#else
	errno = ENOSYS;
	parley_fail("calls");
#endif
}

// parley_convert sets up the sandbox and executes the converter, whose arguments are its
// input and the folder for its output.
void parley_convert(char **argv) {
	char *program = argv[9], *arguments[] = {argv[9], argv[10], argv[11], NULL};
	char *environment[] = {
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/work/tmp", "TMPDIR=/work/tmp", "LANG=C.UTF-8", NULL,
	};
	umask(022); // what the program sees must be readable by its user
	own_root(argv[2], program);
	parley_become(argv[3]);
	parley_bound(argv);
	filter_converter();
	execve(program, arguments, environment);
	parley_fail("converter");
}
