package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/internal/demo"
)

// Kind is what a correct assistant does with a question.
type Kind string

// The kinds of questions. KindOpen is the opening of a conversation that is asked and not judged.
const (
	KindAnswer Kind = "answer"
	KindAsk    Kind = "ask"
	KindRefuse Kind = "refuse"
	KindOpen   Kind = "open"
)

// Rows says which rows of the truth the result must have.
type Rows string

// RowsSet is the zero value: all rows, in any order.
const (
	RowsSet     Rows = ""
	RowsOrdered Rows = "ordered"
	// RowsFirst compares only the first row, for questions such as "which is the most".
	RowsFirst Rows = "first"
	// RowsSome allows further rows in the result.
	RowsSome Rows = "some"
)

// Truth is a correct result: a query that returns it, its rows, or both. The rows are compared if there
// are any; then the query says where they come from, and a test runs it. A question of the kinds ask and
// refuse may have one, too: to decline is right, and so is this result.
type Truth struct {
	SQL    string  `json:"sql,omitempty"`
	Values [][]any `json:"truth,omitempty"`
}

// Question is one line of a suite.
type Question struct {
	Text string `json:"question"`
	// Sources are the names of sample sources, or of files of the suite without their extension.
	Sources []string `json:"sources,omitempty"`
	// Kind is KindAnswer if it is empty.
	Kind Kind `json:"kind,omitempty"`
	// Declinable means that to refuse or to ask back is no fault, although there is an answer.
	Declinable bool `json:"declinable,omitempty"`
	// Follows means that the question continues the conversation of the line before it.
	Follows bool `json:"follows,omitempty"`
	Truth
	// Or are further correct results, for questions that can be read in several ways.
	Or []Truth `json:"or,omitempty"`
	// Part are results that answer a part of the question.
	Part []Truth `json:"part,omitempty"`
	Rows Rows    `json:"rows,omitempty"`
	// Decimals are the decimals to which the numbers of the truth are rounded; nil means 2.
	Decimals *int `json:"decimals,omitempty"`
	// Scattered means that the values may be anywhere in the answer or its table, without their rows.
	Scattered bool `json:"scattered,omitempty"`
	// Style sorts the questions of a report.
	Style string `json:"style,omitempty"`
	// Chart is the expected kind of chart: "" for any, "none" for no chart.
	Chart string `json:"chart,omitempty"`
	// Plan is a text that the plan must contain.
	Plan string `json:"plan,omitempty"`
	// Note says why the question is here. Nothing reads it.
	Note string `json:"note,omitempty"`

	// Where is the file and the line.
	Where string `json:"-"`
}

// Suite is a set of questions over the same sources.
type Suite struct {
	Name string `json:"-"`
	// Title says in a few words what the questions are about.
	Title string `json:"title"`
	// Today is the day on which the questions are asked, because "last month" depends on it.
	Today Day `json:"today"`
	// Strict means that each question must be answered as expected: the suite holds what the planner can
	// do, and nothing of it may be lost.
	Strict bool `json:"strict,omitempty"`
	// Sealed means that only totals are shown, so that nobody fits rules to the questions.
	Sealed bool `json:"sealed,omitempty"`
	// FilesOf are other suites, beside this one, whose files are used as well.
	FilesOf []string `json:"filesOf,omitempty"`

	Conversations [][]Question `json:"-"`
	// files are the files of the sources, by their names; contents has those that are not on disk.
	files    map[string]string
	contents map[string][]byte
	// foreign means that the truths were written for another engine: one that does not run is not judged.
	foreign bool
}

// Day is a date in JSON.
type Day struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Day) UnmarshalJSON(b []byte) error {
	at, err := time.Parse(`"`+time.DateOnly+`"`, string(b))
	if err != nil {
		return fmt.Errorf("a day is written as 2026-11-23: %w", err)
	}
	// Noon is on the same day in most time zones.
	d.Time = at.Add(12 * time.Hour)
	return nil
}

// suiteFile is the file that makes a folder a suite.
const suiteFile = "suite.json"

// Names lists the suites of a folder in the order of their names.
func Names(dir string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*", suiteFile))
	if err != nil {
		return nil, fmt.Errorf("look for suites: %w", err)
	}
	out := make([]string, len(found))
	for i, f := range found {
		out[i] = filepath.Base(filepath.Dir(f))
	}
	slices.Sort(out)
	return out, nil
}

// Read reads a suite from its folder: suite.json, questions as .jsonl or .txt, and the files of the
// sources anywhere below the folder.
func Read(dir string) (*Suite, error) {
	s := &Suite{Name: filepath.Base(dir), files: map[string]string{}}
	body, err := os.ReadFile(filepath.Join(dir, suiteFile))
	if err != nil {
		return nil, fmt.Errorf("read a suite: %w", err)
	}
	if err := strict(body, s); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, suiteFile), err)
	}
	if s.Today.IsZero() {
		return nil, fmt.Errorf("%s: today is missing", filepath.Join(dir, suiteFile))
	}
	questions, err := s.walk(dir)
	if err != nil {
		return nil, fmt.Errorf("read the suite %s: %w", s.Name, err)
	}
	for _, other := range s.FilesOf {
		if _, err := s.walk(filepath.Join(filepath.Dir(dir), other)); err != nil {
			return nil, fmt.Errorf("read the files of the suite %s: %w", other, err)
		}
	}
	for _, path := range questions {
		read := readLines
		if filepath.Ext(path) == ".txt" {
			read = readNotation
		}
		if err := s.add(path, read); err != nil {
			return nil, err
		}
	}
	if len(s.Conversations) == 0 {
		return nil, fmt.Errorf("the suite %s has no questions", s.Name)
	}
	return s, nil
}

// walk collects the files of the sources below a folder, and returns the files of questions.
func (s *Suite) walk(dir string) (questions []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".jsonl", ".txt":
			questions = append(questions, path)
		case ".csv", ".xlsx", ".pptx":
			name := baseName(path)
			if other := s.files[name]; other != "" {
				return fmt.Errorf("%s and %s have the same name", other, path)
			}
			s.files[name] = path
		}
		return nil
	})
	return questions, err //nolint:wrapcheck // the caller says of which suite
}

func baseName(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// add reads one file of questions.
func (s *Suite) add(path string, read func([]byte) ([]Question, error)) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read questions: %w", err)
	}
	questions, err := read(body)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i := range questions {
		q := &questions[i]
		q.Where = filepath.Base(path) + ":" + q.Where
		if q.Kind == "" {
			q.Kind = KindAnswer
		}
		// A file of questions beside a file of data is about that one.
		if len(q.Sources) == 0 {
			q.Sources = []string{baseName(path)}
		}
		if err := s.check(q); err != nil {
			return fmt.Errorf("%s: %q: %w", q.Where, q.Text, err)
		}
		if !q.Follows {
			s.Conversations = append(s.Conversations, nil)
		}
		if len(s.Conversations) == 0 {
			return fmt.Errorf("%s: %q follows nothing", q.Where, q.Text)
		}
		last := &s.Conversations[len(s.Conversations)-1]
		*last = append(*last, *q)
	}
	return nil
}

// known reports whether a truth is written down.
func (t *Truth) known() bool { return t.SQL != "" || len(t.Values) > 0 }

// check returns what is wrong with a question.
func (s *Suite) check(q *Question) error {
	known := q.known()
	switch {
	case q.Text == "":
		return errors.New("the question is missing")
	case !slices.Contains([]Kind{KindAnswer, KindAsk, KindRefuse, KindOpen}, q.Kind):
		return fmt.Errorf("unknown kind %q", q.Kind)
	case !slices.Contains([]Rows{RowsSet, RowsOrdered, RowsFirst, RowsSome}, q.Rows):
		return fmt.Errorf("unknown rows %q", q.Rows)
	case q.Kind == KindAnswer && !known, q.Kind == KindOpen && known:
		return errors.New("a truth is required for the kind answer, and is possible for ask and refuse")
	case !known && len(q.Or)+len(q.Part) > 0:
		return errors.New("there are further truths, and no first one")
	}
	for _, name := range q.Sources {
		if s.files[name] == "" && sample(name) == nil {
			return fmt.Errorf("there is no source %q", name)
		}
	}
	return nil
}

// sample returns the sample source of a name, or nil.
func sample(name string) *demo.Source {
	for _, s := range demo.Sources() {
		if s.Name == name {
			return &s
		}
	}
	return nil
}

// lineMax is the maximum length of a line of a suite.
const lineMax = 1 << 20

// readLines reads questions as JSON, one in each line.
func readLines(body []byte) ([]Question, error) {
	var out []Question
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, lineMax)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		q := Question{Where: fmt.Sprint(n)}
		if err := strict(line, &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, q)
	}
	return out, lines.Err()
}

// strict decodes JSON and refuses unknown fields, so that a misspelled one is not ignored.
func strict(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	return nil
}

// readNotation reads questions in a short notation whose truths are queries. Each line is empty, a comment
// after //, or begins with a sign:
//
//	? question
//	> follow-up question
//	= truth     the query for the question above; without a query, a refusal is expected
//	=1 truth    only the first row is compared
//	=? =1?      like = and =1, but a refusal is also correct
//	~ kind      the expected kind of chart for the question above
//	^ text      a text that the plan of the question above must contain
//	@ sources   the sources of the questions from here on; _ stands for a blank
func readNotation(body []byte) ([]Question, error) {
	var out []Question
	var sources []string
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, lineMax)
	for n := 1; lines.Scan(); n++ {
		sign, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		var last *Question
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		switch {
		case sign == "", sign == "//":
		case sign == "@":
			sources = sources[:0:0]
			for _, name := range strings.Fields(rest) {
				if sample(strings.ReplaceAll(name, "_", " ")) != nil {
					name = strings.ReplaceAll(name, "_", " ")
				}
				sources = append(sources, name)
			}
		case sign == "?", sign == ">" && last != nil:
			// A question is open until its truth is read.
			out = append(out, Question{Text: rest, Follows: sign == ">", Sources: sources, Kind: KindOpen, Where: fmt.Sprint(n)})
		case last == nil:
			return nil, fmt.Errorf("line %d: %q has no question", n, sign)
		case sign == "=" && rest == "":
			last.Kind = KindRefuse
		case slices.Contains([]string{"=", "=1", "=?", "=1?"}, sign) && rest != "":
			last.Kind, last.SQL, last.Declinable = KindAnswer, rest, strings.HasSuffix(sign, "?")
			if strings.HasPrefix(sign, "=1") {
				last.Rows = RowsFirst
			}
		case sign == "~":
			last.Chart = rest
		case sign == "^":
			last.Plan = rest
		default:
			return nil, fmt.Errorf("line %d: unknown sign %q", n, sign)
		}
	}
	return out, lines.Err()
}
