package analyst

// The calls of tools: names and schemas as models see them, the journaling of each call, and the
// replay in another attempt of the turn. An error of a tool goes to the model; only a stop or a
// limit ends the turn.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain"
)

// These are the names of the tools, as models call them.
const (
	ToolListSources    = "list_sources"
	ToolDescribeSource = "describe_source"
	ToolRunQuery       = "run_query"
	ToolMakeChart      = "make_chart"
	ToolSaveFile       = "save_file"
	ToolStatistics     = "statistics"
	ToolFindValues     = "find_values"
	ToolAskPerson      = "ask_person"
)

// argsMax is the maximum number of bytes of one call's arguments.
const argsMax = 64 << 10

// RunQueryArgs are the arguments of run_query.
type RunQueryArgs struct {
	SQL   string `json:"sql"`
	Title string `json:"title,omitempty"`
	// Chart false means: make no chart of this result unless the model asks for one.
	Chart *bool `json:"chart,omitempty"`
	// Accept are kinds of faults that the model accepts deliberately, for its Reason. The result is then shown with a warning.
	Accept []guard.Kind `json:"accept,omitempty"`
	Reason string       `json:"reason,omitempty"`
	// Aside means that the result is only for the text of the answer: it is not the answer's table, and
	// no follow-up questions are based on it. It is not offered to models.
	Aside bool `json:"aside,omitempty"`
	// Checks are the checks of the result's figures. Only a provider that plans may send them; they are not offered to models.
	Checks *check.Plan `json:"checks,omitempty"`
	// oneTable means that a statistic reads one table without a join: the branches of its union are the columns of that table, so
	// the remark that they read it several times is left out, and so are those on the ratios and powers that a statistic is made of.
	// What else could not be checked is said.
	oneTable bool
}

// MakeChartArgs are the arguments of make_chart.
type MakeChartArgs struct {
	// Result is a result's name, see refOf; empty means the latest.
	Result string `json:"result,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Title  string `json:"title,omitempty"`
}

// SaveFileArgs are the arguments of save_file.
type SaveFileArgs struct {
	Result string `json:"result,omitempty"`
	Name   string `json:"name"`
}

// DescribeSourceArgs are the arguments of describe_source.
type DescribeSourceArgs struct {
	// Source is a data source's number or name; empty means all.
	Source string `json:"source,omitempty"`
}

// toolSpecs returns the tools in a fixed order, so that the beginning of each prompt is the same. A step of a plan has no
// ask_person.
func toolSpecs(tables []Table, step bool) []ToolSpec {
	spec := func(name, description, schema string) ToolSpec {
		return ToolSpec{Name: name, Description: description, Schema: json.RawMessage(schema)}
	}
	statistic, statisticSchema := statisticsSpec()
	specs := []ToolSpec{
		spec(ToolListSources, "Lists the data sources of this conversation with their tables.",
			`{"type":"object","properties":{},"additionalProperties":false}`),
		spec(ToolDescribeSource, "Describes all columns of a data source with types, ranges, frequent values and sample rows.",
			`{"type":"object","properties":{"source":{"type":"string","description":"number or name of the source"}},"required":["source"],`+
				`"additionalProperties":false}`),
		spec(ToolRunQuery, "Runs one SELECT statement ("+dialects(tables)+") and returns its rows. People see the result as a table. Totals "+
			"are checked: aggregate each measure at its own table before you join it.",
			`{"type":"object","properties":{"sql":{"type":"string"},"title":{"type":"string","description":"what the result shows, at most 80 `+
				`characters"},"chart":{"type":"boolean","description":"false when a chart of it makes no sense"},"accept":{"type":"array",`+
				`"items":{"type":"string","enum":[`+acceptable()+`]},"description":"faults of a total that are meant, only after they were told; `+
				`people read them above the table"},"reason":{"type":"string","description":"why they are meant"}},"required":["sql"],`+
				`"additionalProperties":false}`),
		spec(ToolMakeChart, "Makes a chart of a query's result, also of an earlier one. The axes come from its columns; title and kind "+
			"may be chosen.",
			`{"type":"object","properties":{"result":{"type":"string","description":"name of a result of this or of an earlier query, as it was `+
				`told; the latest when left out"},"kind":{"type":"string","enum":["column","bar","line","area","pie","scatter"]},`+
				`"title":{"type":"string"}},"additionalProperties":false}`),
		spec(ToolSaveFile, "Saves the result of a query as a CSV file that people can download.",
			`{"type":"object","properties":{"result":{"type":"string","description":"name of a result; the latest when left out"},`+
				`"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`),
		spec(ToolStatistics, statistic, statisticSchema),
		spec(ToolFindValues, "Finds how a text that the person wrote is spelled in a column, with the number of rows.", findValuesSchema),
	}
	if step {
		return specs
	}
	return append(specs, spec(ToolAskPerson, "Asks the person and ends the turn. Only if the question has readings with different answers "+
		"and nothing in the data decides between them.", askPersonSchema))
}

// toolOutput is the journaled result of a tool call.
type toolOutput struct {
	Result ToolResult `json:"result"`
	// Ref is the name of a query's result for later calls.
	Ref     string       `json:"ref,omitempty"`
	Pending []attachment `json:"pending,omitempty"`
	// Warnings and Unchecked are lines above the table for people: what is wrong, and what could not be checked.
	Warnings  []string `json:"warnings,omitempty"`
	Unchecked string   `json:"unchecked,omitempty"`
	// Checked is the line for people about the checks of a statement that was not generated here: what passed, or why the
	// result is empty.
	Checked string `json:"checked,omitempty"`
	// Basis is the grade and the checks that the answer gets from this result.
	Basis basis `json:"basis,omitzero"`
	// Query is the query of a tool that writes its own SQL, in the form of run_query; Note is the text for people about its
	// values.
	Query *RunQueryArgs `json:"query,omitempty"`
	Note  string        `json:"note,omitempty"`
	// Question is a question to the person, with its options. It ends the turn.
	Question string `json:"question,omitempty"`
	// Again means that the table was too big for the journal: another attempt runs the query again,
	// which only reads data.
	Again bool `json:"again,omitempty"`
}

// query returns the query of a call.
func (o *toolOutput) query(call ToolCall) (RunQueryArgs, error) {
	if o.Query != nil {
		return *o.Query, nil
	}
	return argsOf[RunQueryArgs](call)
}

// toolStep makes one tool call, or reads it from the journal, and passes its result to the model. The
// last step is reserved for the answer: a call that would use it is not made.
func (r *run) toolStep(ctx context.Context, call ToolCall) error {
	// Otherwise a turn could end with a call and without an answer.
	if r.stepsLeft() <= 1 {
		r.turns = append(r.turns, Utterance{
			Role: UtteranceTool, CallID: call.ID, Text: "Error: " + skippedText, Result: &ToolResult{Error: skippedText},
		})
		return nil
	}
	// A replayed call takes a number too, so the numbers stay the same.
	if err := r.nextStep(); err != nil {
		return err
	}
	out, replayed := r.replayTool(ctx, call)
	if !replayed {
		step := domain.Step{
			TurnID: r.job.Turn.ID, Number: r.step, Attempt: r.attempt(), Kind: domain.StepTool, Name: domain.Shorten(domain.Clean(call.Name), 80),
			Effect: call.Name == ToolSaveFile, Status: domain.StepRunning, Input: validJSON(call.Args), StartedAt: r.cfg.Clock.Now(),
		}
		// The entry is stored before the tool runs, so that a step that a crash interrupted is found.
		if err := r.sink.StepStarted(ctx, step); err != nil {
			return wrap(err, "journal a tool call")
		}
		var err error
		if out, err = r.tool(ctx, call); err != nil {
			return err
		}
		if err := r.show(ctx, call, out); err != nil {
			return err
		}
		if len(out.Warnings) > 0 {
			// The warnings begin the next message of the answer.
			if err := r.speech.close(ctx); err != nil {
				return err
			}
		}
		// A finished step is not shown again by a replay.
		if err := r.finishStep(ctx, step, journaled(out), nil); err != nil {
			return err
		}
	}
	return r.addToolResult(call, out)
}

// tool runs a tool. An error of the tool is reported to the model; only a stop or the turn's time limit
// is an error here.
func (r *run) tool(ctx context.Context, call ToolCall) (*toolOutput, error) {
	out, err := r.dispatch(ctx, call)
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, wrap(ctx.Err(), "run a tool")
	}
	var known *domain.Error
	// A text of an internal error may contain anything, so it is only logged.
	if errors.As(err, &known) && known.Code != domain.CodeInternal {
		return &toolOutput{Result: ToolResult{Error: known.Message}}, nil
	}
	r.cfg.Log.LogAttrs(ctx, slog.LevelError, "tool failed", slog.String("tool", call.Name), slog.Any("error", err))
	return &toolOutput{Result: ToolResult{Error: "The tool failed for a reason of its own. Try something else."}}, nil
}

// dispatch runs the tool of a call.
func (r *run) dispatch(ctx context.Context, call ToolCall) (*toolOutput, error) {
	// The arguments are a model's text and may have any length.
	if len(call.Args) > argsMax {
		return nil, domain.Errorf(domain.CodeTooLarge, "The arguments are too long.")
	}
	switch call.Name {
	case ToolListSources:
		return with(ctx, call, r.listSources)
	case ToolDescribeSource:
		return with(ctx, call, r.describeSource)
	case ToolRunQuery:
		return with(ctx, call, r.runQuery)
	case ToolMakeChart:
		return with(ctx, call, r.makeChart)
	case ToolSaveFile:
		return with(ctx, call, r.saveFile)
	case ToolStatistics:
		return with(ctx, call, r.statistics)
	case ToolFindValues:
		return with(ctx, call, r.findValues)
	case ToolAskPerson:
		return with(ctx, call, r.askPerson)
	default:
		return nil, unknownTool(call.Name)
	}
}

// with decodes the arguments strictly and runs the tool.
func with[A any](ctx context.Context, call ToolCall, f func(context.Context, A) (*toolOutput, error)) (*toolOutput, error) {
	var args A
	body := bytes.TrimSpace(call.Args)
	if len(body) == 0 {
		body = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	// The model gets an error for a misspelled argument, which is not ignored.
	d.DisallowUnknownFields()
	if err := d.Decode(&args); err != nil {
		return nil, domain.Errorf(domain.CodeInvalid, "The arguments of %s are not a JSON object of the given schema.", call.Name).WithCause(err)
	}
	return f(ctx, args)
}

// addToolResult adds a tool's result to the context, and ends a turn that repeats a failed call.
func (r *run) addToolResult(call ToolCall, out *toolOutput) error {
	key := call.Name + "\x00" + string(validJSON(call.Args))
	if out.Result.Withheld {
		// The same query may come again: after correctionsMax errors it is shown with a warning.
		r.withheld++
		r.failures = leastReliable(append(r.failures, out.Basis.Checks...))
	} else if out.Result.Error != "" {
		// A model that repeats a failed call would continue endlessly.
		if r.failed[key] {
			return errRepeated(domain.Shorten(call.Name, 60))
		}
		r.failed[key] = true
	}
	r.asked = r.asked || out.Question != ""
	if call.Name == ToolRunQuery || out.Query != nil {
		r.queries++
	}
	if out.Ref != "" && out.Result.Table != nil {
		r.results = append(r.results, r.queryResultOf(call, out))
	}
	r.pending = append(r.pending, out.Pending...)
	for _, line := range out.Warnings {
		r.speech.lead[ChannelAnswer] += line + "\n\n"
	}
	if call.Name == ToolMakeChart && out.Result.Error == "" {
		r.chartMade = true
	}
	// The text of an error may contain parts of the data, so it is marked as data.
	text := out.Result.Text
	if out.Result.Error != "" {
		text = "Error: " + r.asData(out.Result.Error)
	}
	result := out.Result
	r.turns = append(r.turns, Utterance{Role: UtteranceTool, CallID: call.ID, Text: text, Result: &result})
	return nil
}

// replayTool finds the call in the journal. A table that was too big for it is read again.
func (r *run) replayTool(ctx context.Context, call ToolCall) (*toolOutput, bool) {
	done, ok := r.replay[r.step]
	// The journal is used only for the same tool with the same number. A different answer makes its own calls.
	if !ok || done.Kind != domain.StepTool || done.Name != call.Name {
		return nil, false
	}
	out, err := decodeToolOutput(done.Output)
	if err != nil {
		return nil, false
	}
	if out.Again {
		// The rights are read again, so the table is what the person may see now.
		again, err := r.dispatch(ctx, call)
		if err != nil {
			return nil, false
		}
		return again, true
	}
	return out, true
}

// validJSON returns arguments as JSON that can be stored: a model's broken text becomes a JSON string.
func validJSON(args json.RawMessage) json.RawMessage {
	if json.Valid(args) {
		return args
	}
	if len(args) == 0 {
		return json.RawMessage("{}")
	}
	quoted, err := json.Marshal(domain.Clean(string(args)))
	if err != nil {
		return json.RawMessage("{}")
	}
	return quoted
}
