package analyst

// Results of earlier turns, so that charts and files can be made of them without another query. A
// result is read from the file store: its rows are what people saw, even if the data have changed
// since.

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

const (
	// earlierRead is the maximum number of bytes of a stored table that are read for a prompt.
	earlierRead = 16 << 10
	// earlierMax is the maximum number of bytes of a stored table that a tool reads completely.
	earlierMax = 16 << 20
	// earlierSQL is the maximum number of bytes of an earlier query that a prompt shows.
	earlierSQL = 4 << 10
)

// earlierResult is the result of a query of an earlier turn, as people saw it: its SQL and its table
// are in the file store.
type earlierResult struct {
	ref   string
	asked string // its prompt
	text  string // the text of its message: title and size
	sql   *domain.DisplayObject
	table domain.DisplayObject
}

// refOf returns the name of the nth result of a turn, counted from 1. It contains the position of the prompt in the
// conversation, so that a name means the same result in every later turn.
func refOf(prompt int64, n int) string {
	if prompt == 0 {
		// Without a position the name is unique only within the turn.
		return "r" + strconv.Itoa(n)
	}
	return "r" + strconv.FormatInt(prompt, 10) + "_" + strconv.Itoa(n)
}

// earlierOf returns the result that a message shows, or nil: a query that failed has no table.
func earlierOf(m *domain.Message) *earlierResult {
	if m.Role != domain.RoleUserProxy {
		return nil
	}
	out := &earlierResult{text: m.Text}
	found := false
	for i := range m.DisplayObjects {
		switch o := &m.DisplayObjects[i]; {
		case o.Type == domain.DisplayPython && o.Language == "sql":
			out.sql = o
		case o.Type == domain.DisplayCSV:
			out.table, found = *o, true
		}
	}
	if !found {
		return nil
	}
	return out
}

// earlierQueries returns the results of earlier turns that fit into the budget, latest last. A result that does not fit with
// its rows is shown as its query only.
func (r *run) earlierQueries(ctx context.Context) string {
	var shown []string
	budget := r.budgets.earlier
	// If the budget is too small for all, the latest results are kept.
	for _, e := range slices.Backward(r.earlierResults) {
		if budget <= 0 {
			break
		}
		text := r.describeEarlier(ctx, e, true)
		if tokens(text) > budget {
			text = r.describeEarlier(ctx, e, false)
		}
		if budget -= tokens(text); budget < 0 {
			break
		}
		shown = append(shown, text)
	}
	slices.Reverse(shown)
	return strings.Join(shown, "\n")
}

// describeEarlier writes one result, with its first rows or without.
func (r *run) describeEarlier(ctx context.Context, e *earlierResult, rows bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "result %s, for %q: %s\n", e.ref, oneLine(e.asked, 120), oneLine(e.text, 200))
	if e.sql != nil {
		// The SQL is data of an earlier turn, cut to a length that fits a prompt.
		fmt.Fprintf(&b, "SQL: %s\n", oneText(strings.TrimSpace(r.stored(ctx, e.sql.FileKey, earlierSQL)), earlierSQL))
	}
	if rows {
		if head := firstLines(r.stored(ctx, e.table.FileKey, earlierRead), 4*r.budgets.result/5); head != "" {
			b.WriteString("first rows:\n" + head)
		}
	}
	return b.String()
}

// firstLines returns the whole lines at the beginning of a text that fit into limit bytes.
func firstLines(text string, limit int) string {
	end := strings.LastIndexByte(cut(text, limit), '\n')
	return text[:end+1]
}

// stored returns the beginning of a file; "" if the file was removed, which the model is not told.
func (r *run) stored(ctx context.Context, key string, limit int64) string {
	body, err := r.read(ctx, key, limit)
	if err != nil {
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "an earlier result cannot be read", slog.String("key", key), slog.Any("error", err))
		return ""
	}
	return domain.Clean(string(body))
}

// read reads at most limit bytes of a stored file.
func (r *run) read(ctx context.Context, key string, limit int64) ([]byte, error) {
	f, err := r.cfg.Files.Get(ctx, key, 0, limit)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(f, limit))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("read a stored result: %w", err)
	}
	return body, nil
}

// openEarlier reads the whole table of an earlier result.
func (r *run) openEarlier(ctx context.Context, e *earlierResult) (*queryResult, error) {
	// A table that is too large must be queried again, because queries have limits.
	if e.table.Size > earlierMax {
		return nil, domain.Errorf(domain.CodeTooLarge, "The result %s is too large to be read again. Run its query again.", e.ref)
	}
	body, err := r.read(ctx, e.table.FileKey, earlierMax)
	if err != nil {
		return nil, wrap(err, "read an earlier result")
	}
	table, err := domain.ReadResultSet(strings.NewReader(string(body)))
	if err != nil {
		return nil, domain.Errorf(domain.CodeInvalid, "The result %s cannot be read any more. Run its query again.", e.ref).WithCause(err)
	}
	// The column formats fit only if the file has the same columns.
	if len(e.table.Columns) == len(table.Columns) {
		table.Shown = e.table.Columns
	}
	return &queryResult{ref: e.ref, title: strings.TrimSuffix(e.table.Name, ".csv"), table: table}, nil
}
