package scripted

// The directives of a prompt: words such as tokens=200 or fault=cut@120 in its text (doc.go). Other
// words are ignored, so a script can be part of a sentence.

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Script is the content of a prompt's directives.
// Counts are of tokens or calls; 0 means none, except where a field says otherwise.
type Script struct {
	Seed    uint64
	Tokens  int
	Rate    float64
	Plan    int
	Summary int
	Calls   int
	Query   string
	Chart   string
	Fault   string
	At      int // in bytes, for cut and stall
	Times   int // 0 means always
	Stamp   bool
	Retry   int
}

// These limits prevent a typing error in a prompt from filling a store.
const (
	maxTokens = 200_000
	maxRate   = 100_000
	maxCalls  = 1_000
)

// Parse reads the directives of a prompt.
func Parse(prompt string) (Script, error) {
	// Without a seed the text of the prompt decides, so the same prompt has the same answer.
	h := fnv.New64a()
	// Writing to a hash cannot fail.
	_, _ = h.Write([]byte(prompt))
	s := Script{Seed: h.Sum64(), Tokens: 120, Rate: 30}
	for _, field := range fields(prompt) {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			continue
		}
		if err := s.set(key, strings.Trim(value, `"`)); err != nil {
			return s, err
		}
	}
	return s, nil
}

// set sets one directive. An unknown key is no directive.
func (s *Script) set(key, value string) error {
	var err error
	switch key {
	case "seed":
		s.Seed, err = strconv.ParseUint(value, 10, 64)
	case "tokens":
		s.Tokens, err = count(value, maxTokens)
	case "plan":
		s.Plan, err = count(value, maxTokens)
	case "summary":
		s.Summary, err = count(value, maxTokens)
	case "calls":
		s.Calls, err = count(value, maxCalls)
	case "times":
		s.Times, err = count(value, maxCalls)
	case "retry":
		s.Retry, err = count(value, 3600)
	case "stamp":
		s.Stamp, err = strconv.ParseBool(value)
	case "rate":
		s.Rate, err = strconv.ParseFloat(value, 64)
		if err == nil && (math.IsNaN(s.Rate) || s.Rate < 0 || s.Rate > maxRate) {
			err = fmt.Errorf("out of range")
		}
	case "query":
		s.Query = value
	case "chart":
		s.Chart = value
	case "fault":
		// A fault may have a place in bytes: cut@120.
		name, at, has := strings.Cut(value, "@")
		s.Fault = name
		if has {
			s.At, err = count(at, math.MaxInt32)
		}
		if err == nil && !known(name) {
			err = fmt.Errorf("no such fault")
		}
	}
	if err != nil {
		return fmt.Errorf("directive %s=%s: %w", key, value, err)
	}
	return nil
}

// known reports whether a fault exists. A number is a status of HTTP.
func known(fault string) bool {
	switch fault {
	case "silent", "cut", "stall", "split", "garbage", "huge", "loop", "args", "tool", "panic":
		return true
	default:
		return statusOf(fault) > 0
	}
}

// statusOf reads a fault that is an HTTP status; 0 means another fault.
func statusOf(fault string) int {
	n, err := strconv.Atoi(fault)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

// count parses a number between 0 and a limit.
func count(value string, limit int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0, fmt.Errorf("not a number: %w", err)
	}
	if n < 0 || n > limit {
		return 0, fmt.Errorf("not between 0 and %d", limit)
	}
	return n, nil
}

// fields splits at blanks outside of quotes.
func fields(s string) []string {
	quoted := false
	return strings.FieldsFunc(s, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && unicode.IsSpace(r)
	})
}
