package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// pollInterval is how often a process that is not our child is checked: the system
// reports the end of a process only to its parent.
const pollInterval = 10 * time.Millisecond

// process is one line of the machine's process list.
type process struct {
	pid     int
	command []string
}

// serves reports whether p is the server of the cluster. Postgres keeps the
// command line it was started with.
func (p process) serves(cluster string) bool {
	if len(p.command) == 0 || filepath.Base(p.command[0]) != "postgres" {
		return false
	}

	at := slices.Index(p.command, "-D")

	return at >= 0 && at+1 < len(p.command) && p.command[at+1] == cluster
}

// worksFor reports whether p is a child of the server with that name: children
// retitle themselves "postgres: <name>: <what they do>".
func (p process) worksFor(name string) bool {
	return len(p.command) > 0 && strings.HasPrefix(strings.Join(p.command, " "), "postgres: "+name+": ")
}

// processes reads the process list, from /proc if the system has it.
func processes(ctx context.Context) ([]process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return processesByPS(ctx)
	}

	var list []process

	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}

		raw, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline"))
		if err != nil {
			// The process has ended since it was listed.
			continue
		}

		raw = bytes.TrimRight(raw, "\x00")
		list = append(list, process{pid: pid, command: strings.Split(string(raw), "\x00")})
	}

	return list, nil
}

// processesByPS is for systems without /proc. Arguments come separated by
// spaces, so a cluster with a space in its path is not recognised; Postgres's
// own interlock then still refuses the second server.
func processesByPS(ctx context.Context) ([]process, error) {
	out, err := exec.CommandContext(ctx, "ps", "-axo", "pid=,command=").Output()
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}

	var list []process

	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}

		if pid, err := strconv.Atoi(fields[0]); err == nil {
			list = append(list, process{pid: pid, command: fields[1:]})
		}
	}

	return list, nil
}

// alive reports whether a process exists, ours or not.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// waitUntil polls until ready returns true; it returns an error when ctx or limit ends.
func waitUntil(ctx context.Context, limit time.Duration, ready func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()

	for {
		ok, err := ready()
		if ok || err != nil {
			return err
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("waited in vain: %w", context.Cause(ctx))
		case <-ticker.C:
		}
	}
}
