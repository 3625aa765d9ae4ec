package apibench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	// clockTick is the unit of the times in /proc.
	clockTick = 10 * time.Millisecond
	// cpuLead is how long before a measurement the processes are listed.
	cpuLead = 100 * time.Millisecond
)

// process is what the kernel reports about a process.
type process struct {
	parent int
	used   time.Duration // CPU time, including that of children that have ended
}

// processOf reads a process from /proc. It returns nil if the process has ended.
func processOf(id int) (*process, error) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/stat")
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // it has ended
	}
	// The name of the program is in parentheses and may contain any character.
	text := string(raw)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 15 {
		return nil, fmt.Errorf("what the kernel says of process %d is not understood: %s", id, text)
	}
	numbers := make([]int64, 5)
	for i, at := range []int{1, 11, 12, 13, 14} {
		if numbers[i], err = strconv.ParseInt(fields[at], 10, 64); err != nil {
			return nil, fmt.Errorf("what the kernel says of process %d is not understood: %w", id, err)
		}
	}
	return &process{parent: int(numbers[0]), used: time.Duration(numbers[1]+numbers[2]+numbers[3]+numbers[4]) * clockTick}, nil
}

// ownProcesses returns the ids of this process and all its descendants: the server with its workers,
// pgbench, and a private Postgres. It returns no ids on a system without /proc.
func ownProcesses() ([]int, error) {
	list, err := os.ReadDir("/proc")
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	parents := map[int]int{}
	for _, entry := range list {
		id, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		p, err := processOf(id)
		if err != nil {
			return nil, err
		}
		if p != nil {
			parents[id] = p.parent
		}
	}
	var ids []int
	for id := range parents {
		at := id
		for at > 1 && at != os.Getpid() {
			at = parents[at]
		}
		if at > 1 {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// usage is the CPU time used in an interval: own by the server and by this process, which
// contains the clients, and started by all other descendants.
type usage struct{ own, started time.Duration }

// cpuBetween waits until the end of an interval that begins soon, and returns the CPU time
// that our processes used in it. Unlike a rate, it depends little on other load of the machine.
func (c *Config) cpuBetween(ctx context.Context, begin, end time.Time) (usage, error) {
	until := func(at time.Time) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(at)):
			return nil
		}
	}
	if err := until(begin.Add(-cpuLead)); err != nil {
		return usage{}, err
	}
	ids, err := ownProcesses()
	if err != nil {
		return usage{}, err
	}
	if err := until(begin); err != nil {
		return usage{}, err
	}
	before, err := c.usedBy(ids)
	if err != nil {
		return usage{}, err
	}
	if err := until(end); err != nil {
		return usage{}, err
	}
	after, err := c.usedBy(ids)
	return usage{after.own - before.own, after.started - before.started}, err
}

// usedBy returns the CPU time that processes have used since they were started.
func (c *Config) usedBy(ids []int) (usage, error) {
	var used usage
	for _, id := range ids {
		p, err := processOf(id)
		switch {
		case err != nil:
			return usage{}, err
		case p == nil:
		case id == os.Getpid() || id == c.Server:
			used.own += p.used
		default:
			used.started += p.used
		}
	}
	return used, nil
}
