// What the walls around a worker and those around a converter have in common.

#ifndef PARLEY_SANDBOX_H
#define PARLEY_SANDBOX_H

void parley_fail(const char *what) __attribute__((noreturn));
void parley_become(const char *user);
void parley_bound(char **argv);
void parley_convert(char **argv) __attribute__((noreturn));

#endif
