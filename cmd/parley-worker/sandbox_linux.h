// What the sandboxes of a worker and of a converter share.

#ifndef PARLEY_SANDBOX_H
#define PARLEY_SANDBOX_H

void parley_fail(const char *what) __attribute__((noreturn));
void parley_become(const char *user);
void parley_bound(char **argv);
void parley_convert(char **argv) __attribute__((noreturn));

// The macros of the filters of system calls. Without PARLEY_ARCH there is no filter for
// the machine.
#if defined(__x86_64__)
#define PARLEY_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PARLEY_ARCH AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define DENY(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), REFUSE(EPERM)

#endif
