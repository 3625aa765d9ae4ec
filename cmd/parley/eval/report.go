package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is the result of an evaluation. As JSON it is also the baseline of a later one.
type Report struct {
	Provider string  `json:"provider"`
	Model    string  `json:"model,omitempty"`
	Suites   []Score `json:"suites"`
}

// Score counts the outcomes of one suite.
type Score struct {
	Suite     string `json:"suite"`
	Questions int    `json:"questions"`
	Right     int    `json:"right"`
	// Declined are those of Right that have no answer, and got none.
	Declined     int `json:"declined,omitempty"`
	Partial      int `json:"partial,omitempty"`
	Asked        int `json:"asked,omitempty"`
	Refused      int `json:"refused,omitempty"`
	WrongSaid    int `json:"wrongSaid,omitempty"`
	WrongCertain int `json:"wrongCertain,omitempty"`
	Failed       int `json:"failed,omitempty"`
	// Skipped are questions that could not be judged and are not among Questions.
	Skipped int `json:"skipped,omitempty"`
	// Outdated are the written truths that differ from the result of their own query.
	Outdated []string `json:"outdated,omitempty"`
	Tokens   int64    `json:"tokens,omitempty"`
	Strict   bool     `json:"strict,omitempty"`
	Sealed   bool     `json:"sealed,omitempty"`
	// Median and P95 are seconds for an answer, with its queries. A baseline has none, because machines
	// differ.
	Median float64 `json:"median,omitempty"`
	P95    float64 `json:"p95,omitempty"`
	// Entries are the questions that are not right, except those of a sealed suite.
	Entries []Entry `json:"entries,omitempty"`
}

// Entry is one question with its outcome.
type Entry struct {
	Where    string  `json:"where"`
	Question string  `json:"question"`
	Style    string  `json:"style,omitempty"`
	Outcome  Outcome `json:"outcome"`
	// Fault means that a strict suite expects something else.
	Fault bool `json:"fault,omitempty"`

	// These are set with Config.Details.
	Reason string `json:"reason,omitempty"`
	Plan   string `json:"plan,omitempty"`
	SQL    string `json:"sql,omitempty"`
	Got    string `json:"got,omitempty"`
	Want   string `json:"want,omitempty"`
	Text   string `json:"text,omitempty"`

	at       int
	declined bool
	took     time.Duration
	tokens   int64
}

// count adds an entry to the numbers.
func (s *Score) count(e *Entry) {
	s.Tokens += e.tokens
	switch e.Outcome {
	case Right:
		s.Right++
		if e.declined {
			s.Declined++
		}
	case Partial:
		s.Partial++
	case Asked:
		s.Asked++
	case Refused:
		s.Refused++
	case WrongSaid:
		s.WrongSaid++
	case WrongCertain:
		s.WrongCertain++
	case Failed:
		s.Failed++
	}
}

// add adds the numbers of another suite.
func (s *Score) add(o *Score) {
	s.Questions += o.Questions
	s.Right += o.Right
	s.Declined += o.Declined
	s.Partial += o.Partial
	s.Asked += o.Asked
	s.Refused += o.Refused
	s.WrongSaid += o.WrongSaid
	s.WrongCertain += o.WrongCertain
	s.Failed += o.Failed
	s.Skipped += o.Skipped
	s.Tokens += o.Tokens
}

// Answered is how many questions were answered, rightly or not.
func (s *Score) Answered() int {
	return s.Right - s.Declined + s.Partial + s.WrongSaid + s.WrongCertain
}

// CertainShare is the share of answers, in percent, that are wrong and do not say so.
func (s *Score) CertainShare() float64 { return percentOf(s.WrongCertain, s.Answered()) }

// RightShare is the share of questions, in percent, that are right.
func (s *Score) RightShare() float64 { return percentOf(s.Right, s.Questions) }

func percentOf(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// Total adds up all suites.
func (r *Report) Total() Score {
	total := Score{Suite: "all"}
	for i := range r.Suites {
		total.add(&r.Suites[i])
	}
	return total
}

// WriteTable writes the table for people: a row for each suite, and below it the details of the questions
// that are not right, if the report has them.
func (r *Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "suite\tquestions\tright\trightly declined\tpartial\tasked\trefused\twrong, said\twrong, certain\tof answered\t"+
		"median\tp95\t")
	rows := slices.Clone(r.Suites)
	if len(rows) > 1 {
		rows = append(rows, r.Total())
	}
	for i := range rows {
		s := &rows[i]
		fmt.Fprintf(t, "%s\t%d\t%d (%.1f %%)\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f %%\t", s.Suite, s.Questions, s.Right, s.RightShare(), s.Declined,
			s.Partial, s.Asked, s.Refused, s.WrongSaid, s.WrongCertain, s.CertainShare())
		if s.P95 > 0 {
			fmt.Fprintf(t, "%.3f s\t%.3f s\t", s.Median, s.P95)
		} else {
			fmt.Fprint(t, "\t\t")
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		if s.Failed > 0 {
			fmt.Fprintf(w, "\n%s: %d questions failed: the provider or the worker gave no answer\n", s.Suite, s.Failed)
		}
		if s.Skipped > 0 {
			fmt.Fprintf(w, "\n%s: %d questions are not counted, because their truth does not run here\n", s.Suite, s.Skipped)
		}
		for k := range s.Entries {
			s.Entries[k].write(w)
		}
	}
	return nil
}

// write writes the details of an entry, if there are any.
func (e *Entry) write(w io.Writer) {
	if e.Reason == "" && e.Text == "" {
		return
	}
	fmt.Fprintf(w, "\n%s  %s: %s\n", e.Where, e.Outcome, e.Question)
	for _, line := range []struct{ name, text string }{
		{"reason", e.Reason}, {"plan", e.Plan}, {"query", e.SQL}, {"got", e.Got}, {"want", e.Want}, {"answer", e.Text},
	} {
		if line.text != "" {
			fmt.Fprintf(w, "    %-7s %s\n", line.name, strings.ReplaceAll(line.text, "\n", "\n            "))
		}
	}
}

// WriteJSON writes the report as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	return nil
}

// ReadReport reads a report that was written as JSON.
func ReadReport(path string) (*Report, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the baseline: %w", err)
	}
	var r Report
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, fmt.Errorf("read the baseline %s: %w", path, err)
	}
	return &r, nil
}

// rightMay is by how many points the share of right answers may fall: less than that is the difference of
// one question in two hundred.
const rightMay = 0.5

// ErrBar says that a bar was missed.
var ErrBar = errors.New("a bar is missed")

// Against returns an error if a suite is worse than in a baseline: its share of right answers has fallen by
// more than half a point, or one more answer is wrong and certain. A suite that the baseline does not have
// is not compared. Without a baseline, only the strict suites have a bar. A question that failed is a missed
// bar in any case.
func (r *Report) Against(base *Report) error {
	var missed []string
	for i := range r.Suites {
		s := &r.Suites[i]
		// What did not happen is not measured, and the numbers are then of fewer questions.
		if s.Failed > 0 {
			missed = append(missed, fmt.Sprintf("%s: %d questions failed", s.Suite, s.Failed))
		}
		if s.Strict {
			for _, e := range s.Entries {
				if e.Fault {
					missed = append(missed, fmt.Sprintf("%s, %s: %s is %s", s.Suite, e.Where, e.Question, e.Outcome))
				}
			}
		}
		if base == nil {
			continue
		}
		at := slices.IndexFunc(base.Suites, func(o Score) bool { return o.Suite == s.Suite })
		if at < 0 {
			continue
		}
		was := &base.Suites[at]
		if s.RightShare() < was.RightShare()-rightMay {
			missed = append(missed, fmt.Sprintf("%s: right fell from %.1f %% to %.1f %%%s", s.Suite, was.RightShare(), s.RightShare(),
				newly(s, was, func(o Outcome) bool { return true })))
		}
		if s.WrongCertain > was.WrongCertain {
			missed = append(missed, fmt.Sprintf("%s: wrong and certain rose from %d to %d%s", s.Suite, was.WrongCertain, s.WrongCertain,
				newly(s, was, func(o Outcome) bool { return o == WrongCertain })))
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return fmt.Errorf("%w:\n%s", ErrBar, strings.Join(missed, "\n"))
}

// newly lists the questions that have an outcome now and had another one before.
func newly(now, was *Score, which func(Outcome) bool) string {
	var b strings.Builder
	for _, e := range now.Entries {
		had := slices.ContainsFunc(was.Entries, func(o Entry) bool {
			return o.Question == e.Question && o.Where == e.Where && o.Outcome == e.Outcome
		})
		if which(e.Outcome) && !had {
			fmt.Fprintf(&b, "\n  %s %s: %s", e.Where, e.Outcome, e.Question)
		}
	}
	return b.String()
}
