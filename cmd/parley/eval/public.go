package eval

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// Public sets are read from a folder outside of the repository, in the files that their authors publish:
// their licences do not allow that they become a part of it.

// ReadPublic reads a folder of a public set, whichever it is.
func ReadPublic(dir string) (*Suite, error) {
	s := &Suite{Name: filepath.Base(dir), Today: Day{clock.System{}.Now()}, files: map[string]string{}, foreign: true}
	var err error
	switch {
	case has(dir, "da-dev-questions.jsonl"):
		err = s.readDABench(dir, "da-dev-questions.jsonl", "da-dev-tables")
	case has(dir, "questions.jsonl"):
		err = s.readDABench(dir, "questions.jsonl", "tables")
	case has(dir, defogQuestions):
		err = s.readDefog(dir)
	default:
		err = fmt.Errorf("%s has neither the questions of DABench (da-dev-questions.jsonl, or questions.jsonl) nor those of Defog (%s)",
			dir, defogQuestions)
	}
	if err == nil && len(s.Conversations) == 0 {
		err = fmt.Errorf("%s has no questions", dir)
	}
	return s, err
}

func has(dir, file string) bool {
	_, err := os.Stat(filepath.Join(dir, file))
	return err == nil
}

// daQuestion is a line of DABench's questions. Answers are here in a file that joins questions and labels.
type daQuestion struct {
	ID       int         `json:"id"`
	Question string      `json:"question"`
	Level    string      `json:"level"`
	Concepts []string    `json:"concepts"`
	FileName string      `json:"file_name"` //nolint:tagliatelle // the names of DABench
	File     string      `json:"file"`
	Kind     string      `json:"kind"`
	Answers  [][2]string `json:"answers"`
}

// daLabel is a line of DABench's labels.
type daLabel struct {
	ID      int         `json:"id"`
	Answers [][2]string `json:"common_answers"` //nolint:tagliatelle // the names of DABench
}

// readDABench reads InfiAgent-DABench (https://github.com/InfiAgent/InfiAgent, examples/DA-Agent/data): the
// question as it stands, without its constraints, and the values of its labels.
func (s *Suite) readDABench(dir, questions, tables string) error {
	labels := map[int][][2]string{}
	if has(dir, "da-dev-labels.jsonl") {
		err := eachLine(filepath.Join(dir, "da-dev-labels.jsonl"), func(line []byte) error {
			var l daLabel
			err := json.Unmarshal(line, &l)
			labels[l.ID] = l.Answers
			return err //nolint:wrapcheck // eachLine names the file
		})
		if err != nil {
			return err
		}
	}
	return eachLine(filepath.Join(dir, questions), func(line []byte) error {
		var d daQuestion
		if err := json.Unmarshal(line, &d); err != nil {
			return err //nolint:wrapcheck // eachLine names the file
		}
		// Machine learning and hypothesis tests are no questions to data, and are marked in the joined file.
		if d.Kind != "" && d.Kind != "plain" {
			return nil
		}
		if d.File == "" {
			d.File = d.FileName
		}
		if d.Answers == nil {
			d.Answers = labels[d.ID]
		}
		if len(d.Answers) == 0 {
			return fmt.Errorf("question %d has no answer", d.ID)
		}
		name := baseName(d.File)
		s.files[name] = filepath.Join(dir, tables, d.File)
		q := Question{
			Text: d.Question, Sources: []string{name}, Kind: KindAnswer, Scattered: true, Style: d.Level, Where: fmt.Sprintf("question %d", d.ID),
		}
		for _, a := range d.Answers {
			q.Values = append(q.Values, []any{a[1]})
		}
		s.Conversations = append(s.Conversations, []Question{q})
		return nil
	})
}

// eachLine calls a function for each line of a file that is not empty.
func eachLine(file string, each func([]byte) error) error {
	body, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read a public set: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, lineMax)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := each(lines.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// defogQuestions is the file of Defog's questions, whose truths are queries for Postgres.
const defogQuestions = "questions_gen_postgres.csv"

// readDefog reads the questions of sql-eval (https://github.com/defog-ai/sql-eval, data) over databases of
// defog-data (https://github.com/defog-ai/defog-data, defog_data), which are folders beside the questions.
// A question whose database is not there is left out. The truths run in the worker; what its engine does not
// know of Postgres is counted as not judged.
func (s *Suite) readDefog(dir string) error {
	body, err := os.ReadFile(filepath.Join(dir, defogQuestions))
	if err != nil {
		return fmt.Errorf("read a public set: %w", err)
	}
	reader := csv.NewReader(bytes.NewReader(body))
	reader.LazyQuotes = true // some questions have quotes that are not doubled
	records, err := reader.ReadAll()
	if err != nil || len(records) == 0 {
		return errors.Join(fmt.Errorf("%s cannot be read", defogQuestions), err)
	}
	column := func(name string) int { return slices.Index(records[0], name) }
	text, truth, db, category := column("question"), column("query"), column("db_name"), column("query_category")
	if text < 0 || truth < 0 || db < 0 || category < 0 {
		return fmt.Errorf("%s lacks one of the columns question, query, db_name, query_category", defogQuestions)
	}
	s.contents = map[string][]byte{}
	tables := map[string][]string{}
	for i, r := range records[1:] {
		name := r[db]
		if _, read := tables[name]; !read {
			if tables[name], err = s.readDatabase(dir, name); err != nil {
				return err
			}
		}
		if len(tables[name]) == 0 {
			continue
		}
		q := Question{
			Text: r[text], Sources: tables[name], Kind: KindAnswer, Style: r[category], Where: fmt.Sprintf("%s, question %d", name, i+1),
		}
		for _, sql := range defogTruths(r[truth]) {
			q.Or = append(q.Or, Truth{SQL: sql})
		}
		if len(q.Or) == 0 {
			continue
		}
		// A question for one thing is answered by a ranking that begins with it, too: the sentence names the first.
		if oneRow.MatchString(r[truth]) {
			q.Rows = RowsFirst
		}
		q.Truth, q.Or = q.Or[0], q.Or[1:]
		s.Conversations = append(s.Conversations, []Question{q})
	}
	return nil
}

// oneRow finds a reference query that returns the first row of a ranking.
var oneRow = regexp.MustCompile(`(?i)order\s+by[^;]*\blimit\s+1\s*;?\s*$`)

// defogTruths expands a query of Defog. Several queries are alternatives, and so are the columns between
// braces; each of them alone is enough, because a result may have more.
func defogTruths(query string) []string {
	var out []string
	for one := range strings.SplitSeq(query, ";") {
		before, rest, braced := strings.Cut(strings.TrimSpace(one), "{")
		columns, after, closed := strings.Cut(rest, "}")
		switch {
		case strings.TrimSpace(one) == "":
		case braced && closed:
			for column := range strings.SplitSeq(columns, ",") {
				out = append(out, before+column+strings.ReplaceAll(after, "{}", column))
			}
		default:
			out = append(out, one)
		}
	}
	return out
}

// readDatabase reads the tables of a database from its script, as texts of CSV. It returns their names as
// sources, or nothing if the database is not there.
func (s *Suite) readDatabase(dir, db string) ([]string, error) {
	// The name comes from the set, and must not lead out of its folder.
	body, err := fs.ReadFile(os.DirFS(dir), path.Join(db, db+".sql"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a public set: %w", err)
	}
	var order []string
	rows := map[string][][]string{}
	for statement := range splitSQL(string(body)) {
		head, values, ok := strings.Cut(statement, ") VALUES")
		if !ok {
			head, values, ok = strings.Cut(statement, ") values")
		}
		table, columns, _ := strings.Cut(strings.TrimSpace(head), "(")
		fields := strings.Fields(table)
		if !ok || len(fields) < 3 || !strings.EqualFold(fields[0], "insert") {
			continue // a table's definition, or a setting
		}
		name := fields[2][strings.LastIndex(fields[2], ".")+1:]
		if rows[name] == nil {
			order = append(order, name)
			var header []string
			for c := range strings.SplitSeq(columns, ",") {
				header = append(header, strings.Trim(strings.TrimSpace(c), `"`))
			}
			rows[name] = [][]string{header}
		}
		rows[name] = append(rows[name], tuples(values)...)
	}
	for i, name := range order {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(rows[name]); err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
		// The same name may be in several databases, and the file's name becomes that of the table.
		order[i] = db + "/" + name
		s.contents[order[i]] = b.Bytes()
	}
	return order, nil
}

// splitSQL yields the statements of a script. Semicolons in texts do not end one.
func splitSQL(script string) func(func(string) bool) {
	return func(yield func(string) bool) {
		from, inText := 0, false
		for i := range len(script) {
			switch {
			case script[i] == '\'':
				inText = !inText // a doubled quote switches twice
			case script[i] == ';' && !inText:
				if !yield(script[from:i]) {
					return
				}
				from = i + 1
			}
		}
	}
}

// tuples reads the rows after VALUES. Expressions other than texts and numbers stay as they are written.
func tuples(values string) [][]string {
	var out [][]string
	var row []string
	var cell strings.Builder
	depth, inText, wasText := 0, false, false
	end := func() {
		text := cell.String()
		if !wasText {
			if text = strings.TrimSpace(text); strings.EqualFold(text, "null") {
				text = ""
			}
		}
		row = append(row, text)
		cell.Reset()
		wasText = false
	}
	for r := strings.NewReader(values); ; {
		c, err := r.ReadByte()
		if errors.Is(err, io.EOF) {
			return out
		}
		switch {
		case c == '\'' && inText:
			// Two quotes are one in the text.
			if next, err := r.ReadByte(); err == nil && next == '\'' {
				cell.WriteByte(c)
			} else {
				inText = false
				if err == nil {
					_ = r.UnreadByte() // never fails after a read
				}
			}
		case inText:
			cell.WriteByte(c)
		case c == '\'':
			cell.Reset()
			inText, wasText = true, true
		case c == '(':
			if depth++; depth > 1 {
				cell.WriteByte(c)
			}
		case c == ')':
			if depth--; depth > 0 {
				cell.WriteByte(c)
				continue
			}
			end()
			out, row = append(out, row), nil
		case c == ',' && depth == 1:
			end()
		case depth > 0 && !wasText:
			cell.WriteByte(c)
		}
	}
}

// fileOf returns the name that a file of a suite has for the product, and its bytes if it is not on disk.
func (s *Suite) fileOf(name string) (fileName string, content []byte) {
	if content, ok := s.contents[name]; ok {
		return filepath.Base(name) + ".csv", content
	}
	return domain.KeptFileName(filepath.Base(s.files[name])), nil
}
