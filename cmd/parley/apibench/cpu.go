package apibench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of the times in /proc.
const clockTick = 10 * time.Millisecond

// cpuTime is what this process and all that it has started have used of the
// processors: server, client, pgbench, and a Postgres of its own. Unlike a rate,
// it hardly depends on what else the machine does. 0 where there is no /proc.
func cpuTime() (time.Duration, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, fmt.Errorf("list the processes: %w", err)
	}
	type process struct {
		parent int
		used   int64
	}
	all := make(map[int]process, len(files))
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// The name of the program stands in brackets and may hold anything.
		text := string(raw)
		id, err := strconv.Atoi(text[:strings.IndexByte(text, ' ')])
		fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		if err != nil || len(fields) < 15 {
			return 0, fmt.Errorf("%s is not understood", name)
		}
		var p process
		if p.parent, err = strconv.Atoi(fields[1]); err != nil {
			return 0, fmt.Errorf("%s is not understood: %w", name, err)
		}
		for _, at := range []int{11, 12, 13, 14} { // its own, and of children that have ended
			n, err := strconv.ParseInt(fields[at], 10, 64)
			if err != nil {
				return 0, fmt.Errorf("%s is not understood: %w", name, err)
			}
			p.used += n
		}
		all[id] = p
	}
	var ticks int64
	for id := range all {
		for at := id; at > 1; at = all[at].parent {
			if at == os.Getpid() {
				ticks += all[id].used
				break
			}
		}
	}
	return time.Duration(ticks) * clockTick, nil
}

// cpuBetween waits for the end of a time that may not have begun, and gives what
// was used of the processors in it.
func cpuBetween(ctx context.Context, begin, end time.Time) (time.Duration, error) {
	var used [2]time.Duration
	for i, at := range []time.Time{begin, end} {
		select {
		case <-ctx.Done():
			return 0, ctx.Err() //nolint:wrapcheck // told apart by its value
		case <-time.After(time.Until(at)):
		}
		var err error
		if used[i], err = cpuTime(); err != nil {
			return 0, err
		}
	}
	return used[1] - used[0], nil
}
