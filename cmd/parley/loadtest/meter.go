package loadtest

// The resources of the nodes and of Postgres. They are counters since the start of the process, so
// a report has the difference of two readings.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// reading is the resource usage of the nodes, by their own metrics, and of Postgres, by /proc.
type reading struct {
	cpu      float64 // seconds of all nodes
	resident float64 // bytes of all nodes
	postgres float64 // seconds of Postgres and its children
}

// ticksPerSecond is USER_HZ, which is 100 on every Linux that Go runs on.
const ticksPerSecond = 100

// read reads the resources as they are now. A part without an address or a process is 0.
func (c *Config) read(ctx context.Context) (reading, error) {
	var r reading
	for _, url := range c.Metrics {
		values, err := scrape(ctx, url, "process_cpu_seconds_total", "process_resident_memory_bytes")
		if err != nil {
			return r, err
		}
		r.cpu, r.resident = r.cpu+values[0], r.resident+values[1]
	}
	if c.PostgresPID > 0 {
		cpu, err := familyCPU(c.PostgresPID)
		if err != nil {
			return r, err
		}
		r.postgres = cpu
	}
	return r, nil
}

// scrape reads metrics without labels from a Prometheus page.
func scrape(ctx context.Context, url string, names ...string) ([]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	defer resp.Body.Close()
	// A metric with labels has another character after its name and is not found.
	values := make([]float64, len(names))
	found := 0
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		for i, name := range names {
			if rest, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
				if values[i], err = strconv.ParseFloat(rest, 64); err != nil {
					return nil, fmt.Errorf("metric %s: %w", name, err)
				}
				found++
			}
		}
	}
	if found != len(names) {
		return nil, errors.New("the server's metrics do not tell CPU and memory")
	}
	return values, nil
}

// familyCPU adds up the CPU seconds of a process, of its running children, and of
// the children that it has waited for (proc(5), stat).
func familyCPU(pid int) (float64, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, fmt.Errorf("read the processes: %w", err)
	}
	var ticks int64
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // the process has ended meanwhile
		}
		// The name in parentheses may contain spaces; the fields after it cannot.
		text := string(b)
		f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		own := strings.HasPrefix(text, strconv.Itoa(pid)+" ")
		// The second field after the name is the parent's id.
		if !own && f[1] != strconv.Itoa(pid) {
			continue
		}
		// utime and stime of a child; for the postmaster also those of the children that have
		// ended.
		counted := f[11:13]
		if own {
			counted = f[11:15]
		}
		for _, x := range counted {
			n, err := strconv.ParseInt(x, 10, 64)
			if err != nil {
				return 0, fmt.Errorf("read %s: %w", name, err)
			}
			ticks += n
		}
	}
	return float64(ticks) / ticksPerSecond, nil
}
