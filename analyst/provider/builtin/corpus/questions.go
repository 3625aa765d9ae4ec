package corpus

import (
	"bufio"
	_ "embed" // the questions are part of the package
	"fmt"
	"strings"
	"time"
)

//go:embed testdata/questions.txt
var file string

// Question is one entry of the corpus.
type Question struct {
	Schema string
	// Before are the earlier questions of the conversation, oldest first.
	Before []string
	Text   string
	// SQL is the expected query, with each run of white space as a single blank; it is empty if the
	// question must not be answered.
	SQL string
}

// Now is the time at which the questions are asked.
func Now() time.Time { return time.Date(2025, time.October, 15, 12, 0, 0, 0, time.UTC) }

// Questions reads the corpus file: a line "# schema", followed by entries. An entry is a line "?
// question", then lines "> follow-up", then a line with the query.
func Questions() ([]Question, error) {
	var out []Question
	schema := ""
	var asked []string
	s := bufio.NewScanner(strings.NewReader(file))
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		switch {
		case line == "" || strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "# "):
			schema = line[2:]
		case strings.HasPrefix(line, "? "):
			asked = []string{line[2:]}
		case strings.HasPrefix(line, "> "):
			asked = append(asked, line[2:])
		case strings.HasPrefix(line, "= "), line == "=":
			if len(asked) == 0 {
				return nil, fmt.Errorf("line %d: a query without a question", n)
			}
			last := len(asked) - 1
			out = append(out, Question{Schema: schema, Before: asked[:last:last], Text: asked[last], SQL: strings.TrimSpace(line[1:])})
		default:
			return nil, fmt.Errorf("line %d: %q is no entry", n, line)
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("read the corpus: %w", err)
	}
	return out, nil
}

// SchemaOf finds a schema by name.
func SchemaOf(name string) (Schema, bool) {
	for _, s := range Schemas() {
		if s.Name == name {
			return s, true
		}
	}
	return Schema{}, false
}

func parseDay(s string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, fmt.Errorf("parse a day: %w", err)
	}
	return t, nil
}
