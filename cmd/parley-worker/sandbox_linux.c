//go:build linux

// The sandbox is set up before the Go runtime and DuckDB start a thread: limits and
// credentials belong to a thread, and all later threads inherit them only if the
// process has one thread. glibc calls constructors with the arguments of main.
//
//   parley-worker walled <root> <uid> <address> <data> <cpu> <files> <filesize>
//
// The sandbox of a converter, which is a program of another maker, is in converter_linux.c.
//
// A layer of the sandbox that the machine does not allow is left out and reported in
// parley_walls; the node decides whether the rest is enough. A limit that cannot be set
// ends the process.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox_linux.h"

int parley_walls = 0; // bits: 1 own root or Landlock, 2 filter of system calls

void parley_fail(const char *what) {
	fprintf(stderr, "parley-worker: %s: %s\n", what, strerror(errno));
	_exit(3);
}

static void limit(int resource, const char *text, const char *what) {
	struct rlimit l;
	l.rlim_cur = l.rlim_max = (rlim_t)strtoull(text, NULL, 10);
	if (setrlimit(resource, &l) != 0) parley_fail(what);
}

#ifdef PARLEY_ARCH
static int filter_calls(void) {
	struct sock_filter filter[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PARLEY_ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
#ifdef __x86_64__
		// The x32 ABI has other numbers for the same calls.
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
		REFUSE(ENOSYS),
		DENY(__NR_fork),
		DENY(__NR_vfork),
		DENY(__NR_chmod),
		DENY(__NR_chown),
		DENY(__NR_link),
#endif
		DENY(__NR_socket), DENY(__NR_socketpair), DENY(__NR_connect), DENY(__NR_bind), DENY(__NR_listen),
		DENY(__NR_accept), DENY(__NR_accept4), DENY(__NR_sendto), DENY(__NR_sendmsg), DENY(__NR_sendmmsg),
		DENY(__NR_execve), DENY(__NR_execveat), DENY(__NR_ptrace), DENY(__NR_process_vm_readv),
		DENY(__NR_process_vm_writev), DENY(__NR_mount), DENY(__NR_umount2), DENY(__NR_pivot_root),
		DENY(__NR_chroot), DENY(__NR_unshare), DENY(__NR_setns), DENY(__NR_bpf), DENY(__NR_perf_event_open),
		DENY(__NR_io_uring_setup), DENY(__NR_open_by_handle_at), DENY(__NR_keyctl), DENY(__NR_add_key),
		DENY(__NR_request_key), DENY(__NR_userfaultfd), DENY(__NR_init_module), DENY(__NR_finit_module),
		DENY(__NR_kexec_load), DENY(__NR_pidfd_open), DENY(__NR_memfd_create),
		// Files of the node are linked into the folder as read-only files and must stay read-only.
		DENY(__NR_fchmod), DENY(__NR_fchmodat), DENY(__NR_fchown), DENY(__NR_fchownat), DENY(__NR_linkat),
		// clone3 hides its flags behind a pointer; glibc falls back to clone.
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
		REFUSE(ENOSYS),
		// Threads are needed, processes and namespaces are not.
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
		REFUSE(EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static int filter_calls(void) { return -1; }
#endif

// confine is for users who may not change their root: Landlock refuses access to every
// file outside the folder. It needs Linux 5.13.
static int confine(void) {
	struct landlock_ruleset_attr all = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
	struct landlock_path_beneath_attr folder = {.allowed_access = all.handled_access_fs};
	int rules = syscall(SYS_landlock_create_ruleset, &all, sizeof(all.handled_access_fs), 0);
	if (rules < 0) return -1;
	// DuckDB reads these files to learn how much memory there is, and fails if they exist but cannot be read.
	const char *memory[] = {"/proc/self/cgroup", "/sys/fs/cgroup", "/proc/meminfo"};
	for (int i = 0; i < 3; i++) {
		struct landlock_path_beneath_attr file = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
		file.parent_fd = open(memory[i], O_PATH | O_CLOEXEC);
		if (file.parent_fd < 0) continue;
		syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &file, 0);
		close(file.parent_fd);
	}
	folder.parent_fd = open(".", O_PATH | O_CLOEXEC | O_DIRECTORY);
	int done = folder.parent_fd >= 0 && syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &folder, 0) == 0 &&
		   syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(folder.parent_fd);
	close(rules);
	return done ? 0 : -1;
}

static void drop_capabilities(void) {
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2];
	memset(none, 0, sizeof(none));
	if (syscall(SYS_capset, &header, none) != 0) parley_fail("capabilities");
}

// parley_become changes to another user and drops all capabilities and every way to regain them.
void parley_become(const char *user) {
	unsigned long uid = strtoul(user, NULL, 10);
	if (uid != 0 && getuid() == 0) {
		if (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0) parley_fail("user");
	}
	drop_capabilities();
	// A change of the user clears the parent-death signal, so it is set again.
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) parley_fail("parent");
	if (prctl(PR_SET_DUMPABLE, 0) != 0) parley_fail("dump");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) parley_fail("privileges");
}

// parley_bound sets the resource limits that the arguments name.
void parley_bound(char **argv) {
	limit(RLIMIT_AS, argv[4], "address space");
	limit(RLIMIT_DATA, argv[5], "memory");
	limit(RLIMIT_CPU, argv[6], "cpu");
	limit(RLIMIT_NOFILE, argv[7], "files");
	limit(RLIMIT_FSIZE, argv[8], "file size");
	limit(RLIMIT_CORE, "0", "core");
}

__attribute__((constructor)) static void parley_wall_in(int argc, char **argv) {
	if (argc == 12 && strcmp(argv[1], "converting") == 0) parley_convert(argv);
	if (argc != 9 || strcmp(argv[1], "walled") != 0) return;

	// One malloc arena, because each one reserves 64 MB of the address space.
	mallopt(M_ARENA_MAX, 1);
	if (chdir(argv[2]) != 0) parley_fail("folder");
	if (chroot(".") == 0) {
		if (chdir("/") != 0) parley_fail("folder");
		parley_walls |= 1;
	}
	parley_become(argv[3]);
	if (!(parley_walls & 1) && confine() == 0) parley_walls |= 1;

	parley_bound(argv);
	if (filter_calls() == 0) parley_walls |= 2;
}
