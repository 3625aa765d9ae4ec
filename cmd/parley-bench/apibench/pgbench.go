package apibench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/cmd/parley-bench/pgproxy"
)

// FindPGBench looks for pgbench in the PATH and in the folders of Debian's packages. It
// returns an empty string if pgbench is not installed.
func FindPGBench() string {
	if found, err := exec.LookPath("pgbench"); err == nil {
		return found
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if err != nil || len(found) == 0 {
		return ""
	}
	return slices.Max(found)
}

const (
	// pgbenchWarm is the warm-up of pgbench after its first second: its connections are new
	// and have to prepare each statement of each person.
	pgbenchWarm = 500 * time.Millisecond
	// pgbenchRest is how much longer pgbench runs, so that all clients are busy until the end
	// of the measurement. pgbench takes whole seconds, so the run time is rounded up.
	pgbenchRest = 500 * time.Millisecond
)

// pgbench measures pgbench with the statements of each person, in the same transactions and
// round trips as the server and with the same settings.
func (c *Config) pgbench(ctx context.Context, people []person) (Figures, error) {
	dir, err := os.MkdirTemp(c.Dir, "pgbench-")
	if err != nil {
		return Figures{}, fmt.Errorf("make a folder for pgbench: %w", err)
	}
	defer os.RemoveAll(dir)
	seconds := int((c.Duration + pgbenchWarm + pgbenchRest + 2*time.Second - 1).Seconds())
	args := []string{
		"-n", "-M", "prepared", "-D", "blank= ", "-c", strconv.Itoa(c.Connections), "-j", "2", "-P", "1", "-T", strconv.Itoa(seconds),
		"-l", "--log-prefix=" + filepath.Join(dir, "took"),
	}
	for i, p := range people {
		name := filepath.Join(dir, fmt.Sprintf("person-%d.sql", i))
		text, variables := script(fmt.Sprintf("p%d", i), p.statements)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return Figures{}, fmt.Errorf("write a script for pgbench: %w", err)
		}
		args = append(args, "-f", name)
		for _, v := range variables {
			args = append(args, "-D", v)
		}
	}
	cmd := exec.CommandContext(ctx, c.PGBench, append(args, c.Database)...) //nolint:gosec // FindPGBench has found the program by its name
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c role=parley_app -c plan_cache_mode=force_generic_plan")
	output, err := cmd.StderrPipe()
	if err != nil {
		return Figures{}, fmt.Errorf("prepare pgbench: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return Figures{}, fmt.Errorf("start pgbench: %w", err)
	}
	// pgbench reports its progress every second, for the first time one second after its start.
	said, lines := "", bufio.NewScanner(output)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "progress:") {
		said += lines.Text() + "\n"
	}
	begin := time.Now().Add(pgbenchWarm)
	end := begin.Add(c.Duration)
	cpu, err := c.cpuBetween(ctx, begin, end)
	rest, readErr := io.ReadAll(output)
	if err := errors.Join(cmd.Wait(), err, readErr); err != nil {
		return Figures{}, fmt.Errorf("pgbench: %w: %s%s", err, said, rest)
	}
	took, err := transactions(dir, begin, end)
	if err != nil {
		return Figures{}, err
	}
	if len(took) == 0 {
		return Figures{}, errors.New("pgbench ended nothing in the time of a round: give it more with --seconds")
	}
	return figuresOf(took, c.Duration, cpu), nil
}

// script returns the statements as a script for pgbench, and the variables for their
// parameters: with constants instead, the database would make better plans than it makes
// for the server. Each transaction is one round trip, as it is for the server.
func script(prefix string, statements []pgproxy.Statement) (text string, variables []string) {
	var b strings.Builder
	for i, s := range statements {
		if strings.HasPrefix(s.SQL, "BEGIN") {
			b.WriteString("\\startpipeline\n")
		}
		names := make([]string, len(s.Args))
		for n, a := range s.Args {
			switch {
			case a.Null:
				names[n] = "NULL"
				continue
			case a.Text == "":
				// A variable of pgbench cannot be empty, and a constant would help the planner.
				names[n] = "btrim(:blank)"
				continue
			}
			name := fmt.Sprintf("%s_%d_%d", prefix, i, n)
			names[n] = ":" + name
			variables = append(variables, name+"="+a.Text)
		}
		sql := regexp.MustCompile(`(?m)^--.*$`).ReplaceAllString(s.SQL, "")
		sql = regexp.MustCompile(`\$\d+`).ReplaceAllStringFunc(sql, func(at string) string {
			n, err := strconv.Atoi(at[1:])
			if err != nil || n < 1 || n > len(names) {
				return at
			}
			return names[n-1]
		})
		b.WriteString(strings.TrimSpace(sql) + ";\n")
		if s.SQL == "COMMIT" {
			b.WriteString("\\endpipeline\n")
		}
	}
	return b.String(), variables
}

// transactions returns the durations, from pgbench's logs, of the transactions that ended in
// an interval.
func transactions(dir string, begin, end time.Time) ([]time.Duration, error) {
	logs, err := filepath.Glob(filepath.Join(dir, "took.*"))
	if err != nil || len(logs) == 0 {
		return nil, errors.Join(errors.New("pgbench left no log"), err)
	}
	var took []time.Duration
	for _, name := range logs {
		body, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read pgbench's log: %w", err)
		}
		for line := range strings.Lines(string(body)) {
			// client, transaction, time, script, second of the end, microsecond of the end
			fields := strings.Fields(line)
			if len(fields) < 6 {
				continue
			}
			var numbers [3]int64
			for i, at := range []int{2, 4, 5} {
				if numbers[i], err = strconv.ParseInt(fields[at], 10, 64); err != nil {
					return nil, fmt.Errorf("pgbench's log: %w", err)
				}
			}
			if at := time.Unix(numbers[1], numbers[2]*1000); at.After(begin) && !at.After(end) {
				took = append(took, time.Duration(numbers[0])*time.Microsecond)
			}
		}
	}
	return took, nil
}
