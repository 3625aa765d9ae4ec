package analyst

// What people see of tool calls: the SQL, the table or the error of a query, and files. The bytes are in the file store; a
// message only refers to them.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// objectMax is the maximum number of bytes of one display object.
const objectMax = 64 << 20

// store puts an object's bytes into the file store. The content of a key never changes, so an existing file is used again.
func (r *run) store(
	ctx context.Context, id uuid.UUID, kind domain.DisplayObjectType, name, language string, body []byte,
) (*domain.DisplayObject, error) {
	o := &domain.DisplayObject{
		ID: id, ConversationID: r.job.Turn.ConversationID, Name: domain.Shorten(domain.Clean(name), 120), Type: kind, Language: language,
		ContentType: contentTypeOf(kind), Size: int64(len(body)),
		FileKey: fmt.Sprintf("objects/%s/%s", r.job.Turn.ConversationID, id), CreatedAt: r.cfg.Clock.Now(),
	}
	// The object was stored by an earlier attempt of the turn.
	if size, err := r.cfg.Files.Size(ctx, o.FileKey); err == nil {
		o.Size = size
		return o, nil
	}
	// The key is registered before the bytes are stored, so that a file whose message is never committed is removed.
	if r.cfg.Intake != nil {
		if err := r.cfg.Intake.Begin(ctx, r.job.Caller.OrganisationID, o.FileKey); err != nil {
			return nil, wrap(err, "note a display object")
		}
	}
	if _, err := r.cfg.Files.Put(ctx, o.FileKey, o.ContentType, bytes.NewReader(body), objectMax); err != nil {
		return nil, wrap(err, "store a display object")
	}
	return o, nil
}

// contentTypeOf is the media type of an object.
func contentTypeOf(t domain.DisplayObjectType) string {
	switch t {
	case domain.DisplayHighcharts:
		return "application/json"
	case domain.DisplayCSV:
		return "text/csv; charset=utf-8"
	case domain.DisplayPython, domain.DisplayLogs:
		return "text/plain; charset=utf-8"
	case domain.DisplayXLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case domain.DisplayPPTX:
		return "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	case domain.DisplayPNG:
		return "image/png"
	default:
		return "application/octet-stream"
	}
}

// show adds a message with a query's SQL and its table or error. The results of the other
// tools are shown with the answer.
func (r *run) show(ctx context.Context, call ToolCall, out *toolOutput) error {
	if out.Question != "" {
		return r.showQuestion(ctx, out.Question)
	}
	if call.Name != ToolRunQuery && out.Query == nil {
		if out.Result.Error == "" {
			return nil
		}
		// An error of another tool is only for the debug view of superusers.
		body, err := json.Marshal(map[string]any{"tool": call.Name, "args": validJSON(call.Args), "error": out.Result.Error})
		if err != nil {
			return domain.Internal(err, "encode a debug message")
		}
		d := r.draft(domain.RoleInternal)
		d.Text = string(body)
		_, err = r.sink.Open(ctx, d)
		return wrap0(err, "open a message")
	}
	// Arguments that cannot be read have no SQL, but the error is shown in any case.
	a, err := out.query(call)
	d := r.draft(domain.RoleUserProxy)
	if err == nil && a.SQL != "" {
		code, err := r.store(ctx, domain.NewID(), domain.DisplayPython, "query.sql", "sql", []byte(domain.Clean(a.SQL)))
		if err != nil {
			return err
		}
		d.Objects = append(d.Objects, *code)
	}
	title := cmp.Or(oneLine(a.Title, 120), "Query")
	if t := out.Result.Table; t != nil {
		table, err := r.store(ctx, domain.NewID(), domain.DisplayCSV, fileName(title)+".csv", "", []byte(CSV(t, -1)))
		if err != nil {
			return err
		}
		// The columns define the format of their values, with units.
		table.Columns = t.Shown
		d.Objects = append(d.Objects, *table)
		// Figures in the answer refer to this table.
		out.Result.Object = table.ID
		d.Text = strings.TrimSpace(title + ": " + dimensions(t) + " " + out.Note)
		for _, line := range out.remarks() {
			d.Text += "\n\n" + line
		}
	} else {
		log, err := r.store(ctx, domain.NewID(), domain.DisplayLogs, "error.log", "", []byte(domain.Clean(out.Result.Error)))
		if err != nil {
			return err
		}
		d.Objects = append(d.Objects, *log)
		d.Text = title + ": the query failed."
		if out.Result.Withheld {
			d.Text = title + ": the result is not shown, because a total in it is wrong."
			if out.Result.Check != nil {
				d.Text = title + ": the result is not shown, because a check of its figures failed."
			}
		}
	}
	_, err = r.sink.Open(ctx, d)
	return wrap0(err, "open a message")
}

// dimensions describes the size of a result.
func dimensions(t *domain.ResultSet) string {
	plural := func(n int, what string) string {
		if n == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", n, what)
	}
	text := plural(len(t.Rows), "row") + ", " + plural(len(t.Columns), "column")
	if t.Truncated {
		text += " (cut at the limit)"
	}
	return text + "."
}

// argsOf decodes the arguments of a call.
func argsOf[A any](call ToolCall) (A, error) {
	var a A
	if err := json.Unmarshal(call.Args, &a); err != nil {
		return a, fmt.Errorf("decode arguments: %w", err)
	}
	return a, nil
}

// fileName returns a valid file name for a title.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_', r == ' ':
			return r
		default:
			return -1
		}
	}, domain.Clean(title))
	name = domain.Shorten(strings.Join(strings.Fields(name), " "), 80)
	return cmp.Or(strings.TrimSpace(name), "result")
}
