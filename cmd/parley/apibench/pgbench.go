package apibench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FindPGBench looks for the program in the path and where Debian's packages put
// it; empty when this machine has none.
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

// pgbench sends the statements of each person, in the same transactions and
// round trips as the server and with the same settings.
func (c *Config) pgbench(ctx context.Context, people [][]Statement) (Figures, error) {
	dir, err := os.MkdirTemp(c.Dir, "pgbench-")
	if err != nil {
		return Figures{}, fmt.Errorf("make a folder for pgbench: %w", err)
	}
	defer os.RemoveAll(dir)
	args := []string{
		"-n", "-M", "prepared", "-D", "blank= ", "-c", strconv.Itoa(c.Connections), "-j", "2", "-T", strconv.Itoa(max(1, int(c.Duration.Seconds()))), "-l", "--log-prefix=" + filepath.Join(dir, "took"),
	}
	for i, statements := range people {
		name := filepath.Join(dir, fmt.Sprintf("person-%d.sql", i))
		text, variables := script(fmt.Sprintf("p%d", i), statements)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return Figures{}, fmt.Errorf("write a script for pgbench: %w", err)
		}
		args = append(args, "-f", name)
		for _, v := range variables {
			args = append(args, "-D", v)
		}
	}
	cmd := exec.CommandContext(ctx, c.PGBench, append(args, c.Database)...) //nolint:gosec // the program was looked for by name
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c role=parley_app -c plan_cache_mode=force_generic_plan")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return Figures{}, fmt.Errorf("pgbench: %w: %s", err, bytes.TrimSpace(out))
	}
	took, err := transactions(dir)
	if err != nil {
		return Figures{}, err
	}
	f := figuresOf(took, c.Duration)
	rate := regexp.MustCompile(`(?m)^tps = ([0-9.]+)`).FindSubmatch(out)
	if rate == nil {
		return Figures{}, fmt.Errorf("pgbench says no rate: %s", out)
	}
	if f.PerSecond, err = strconv.ParseFloat(string(rate[1]), 64); err != nil {
		return Figures{}, fmt.Errorf("pgbench's rate: %w", err)
	}
	return f, nil
}

// script writes statements as pgbench takes them, and the variables that stand
// for their parameters: with constants in their place the database would make
// better plans than it makes for the server. Each transaction is one round trip,
// as it is for the server.
func script(prefix string, statements []Statement) (text string, variables []string) {
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

// transactions reads how long each took from pgbench's logs.
func transactions(dir string) ([]time.Duration, error) {
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
			fields := strings.Fields(line)
			if len(fields) < 3 {
				continue
			}
			us, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("pgbench's log: %w", err)
			}
			took = append(took, time.Duration(us)*time.Microsecond)
		}
	}
	return took, nil
}
