package embedded

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// failureLine selects the line in the output of a Postgres program that explains why the
// program ended.
func failureLine(output string) string {
	var last, reason string

	severity := regexp.MustCompile(`(?:FATAL|PANIC|ERROR):\s+|initdb: error: `)

	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}

		last = line
		if at := severity.FindStringIndex(line); at != nil {
			reason = line[at[1]:]
		}

		// Whatever else the output says, this is the cause.
		if strings.Contains(line, "No space left on device") || strings.Contains(line, "Disk quota exceeded") {
			return "the disk is full"
		}
	}

	if reason != "" {
		return reason
	}

	return last
}

// explain joins the end of a program with the line that explains it.
func explain(what, output string, err error) error {
	if line := failureLine(output); line != "" {
		return fmt.Errorf("%s: %s", what, line)
	}

	return fmt.Errorf("%s: %w", what, err)
}

// serverLog is the file that Postgres writes to.
type serverLog struct {
	file *os.File

	// from is the offset at which the present run begins.
	from int64
}

// logLimit is the length at which the log is emptied.
const logLimit = 4 << 20

// openLog opens the log for appending.
func openLog(path string) (serverLog, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > logLimit {
		if err := os.Truncate(path, 0); err != nil {
			return serverLog{}, fmt.Errorf("shorten %s: %w", path, err)
		}
	}

	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return serverLog{}, fmt.Errorf("open %s: %w", path, err)
	}

	info, err := file.Stat()
	if err != nil {
		return serverLog{}, errors.Join(fmt.Errorf("open %s: %w", path, err), file.Close())
	}

	return serverLog{file: file, from: info.Size()}, nil
}

// sinceStart returns what was logged in the present run, or its last 64 kB.
func (l serverLog) sinceStart() string {
	info, err := l.file.Stat()
	if err != nil {
		return ""
	}

	from := max(l.from, info.Size()-64<<10)
	text := make([]byte, max(0, info.Size()-from))

	// A log that cannot be read explains nothing; the caller's error says so.
	n, _ := l.file.ReadAt(text, from)

	return string(text[:n])
}
