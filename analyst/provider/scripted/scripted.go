package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/pace"
	"parley.dev/parley/internal/clock"
)

// Config configures a Provider.
type Config struct {
	// Clock provides the time; nil means the clock of the machine.
	Clock clock.Clock
	// Tick is the resolution of the rate; 0 means 5 ms.
	Tick time.Duration
	// Calls gets a line of JSON for each call when it has ended, see Call; nil means that nobody asks. It must be safe for
	// concurrent use, and must take a line as a whole.
	Calls io.Writer
}

// Call is a call as the model saw it. A checker compares it with what was counted.
type Call struct {
	// Turn and Step are those of the request.
	Turn string `json:"turn"`
	Step int    `json:"step"`
	// Input and Output are the tokens that it has reported.
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
	// Failed says that it ended with an error, also because its caller had enough.
	Failed bool `json:"failed,omitempty"`
}

// Provider streams what the script in the prompt says. It is safe for concurrent use.
type Provider struct {
	wheel *pace.Wheel
	calls io.Writer

	mu     sync.Mutex
	faults map[string]int // how often the fault of a turn has happened; only for turns with times=
}

var _ analyst.Provider = (*Provider)(nil)

// New returns a Provider.
func New(cfg Config) *Provider {
	return &Provider{wheel: pace.NewWheel(pace.Config{Clock: cfg.Clock, Tick: cfg.Tick}), calls: cfg.Calls, faults: make(map[string]int)}
}

// Name implements analyst.Provider.
func (p *Provider) Name() string { return "scripted" }

// hugeBytes is the size of fault=huge's piece.
const hugeBytes = 10 << 20

// Stream implements analyst.Provider.
func (p *Provider) Stream(ctx context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	end, err := p.stream(ctx, r, emit)
	if p.calls == nil {
		return end, err
	}
	// It is written before the caller knows the tokens, so what is counted is always there, however the process ends.
	line, failed := json.Marshal(Call{r.Seed, r.Step, end.Usage.InputTokens, end.Usage.OutputTokens, err != nil})
	if failed == nil {
		_, failed = p.calls.Write(append(line, '\n'))
	}
	if failed != nil {
		return end, fmt.Errorf("record a call: %w", errors.Join(failed, err))
	}
	return end, err
}

func (p *Provider) stream(ctx context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	prompt, made := asked(r.Turns)
	turn := r.Seed
	if step := r.Guide.PlanStep(); step != nil {
		// Each step of a plan is a script of its own; the query of its code is not a call of the
		// script.
		prompt, turn = step.DetailedInstructions, r.Seed+"/"+strconv.Itoa(step.Number)
		made -= codeRuns(r.Turns)
	}
	// The usage is an estimate: four bytes a token.
	end := analyst.End{Usage: analyst.Usage{InputTokens: int64(len(prompt)/4 + 1)}}
	s, err := Parse(prompt)
	if err != nil {
		return end, &analyst.ProviderError{Reason: "The script cannot be read: " + err.Error(), Cause: err}
	}
	if s.Fault != "" && p.passed(turn, s.Times) {
		s.Fault = ""
	}
	if err := before(ctx, s); err != nil {
		return end, err
	}
	if call := nextCall(s, made); call != nil {
		end.Usage.OutputTokens = 8
		return end, emit(analyst.Piece{Call: call})
	}
	v := &voice{script: s, wheel: p.wheel, start: p.wheel.Now(), rate: s.Rate, ctx: ctx, emit: emit, parts: []part{
		{analyst.ChannelPlan, s.Seed + 1, s.Plan},
		{analyst.ChannelAnswer, s.Seed, s.Tokens},
		{analyst.ChannelSummary, s.Seed + 2, s.Summary},
	}}
	err = v.speak()
	end.Usage.OutputTokens = int64(v.count)
	return end, err
}

// Bare reports that nothing is added to the output of this provider.
func (p *Provider) Bare() bool { return true }

// asked finds the prompt and counts the tool calls made for it.
func asked(turns []analyst.Utterance) (prompt string, made int) {
	for _, u := range turns {
		switch u.Role {
		case analyst.UtteranceUser:
			prompt, made = u.Text, 0
		case analyst.UtteranceTool:
			made++
		case analyst.UtteranceAssistant:
		}
	}
	return prompt, made
}

// codeRuns counts the calls since the prompt that the pipeline made for a step's code.
func codeRuns(turns []analyst.Utterance) (n int) {
	for _, u := range turns {
		switch {
		case u.Role == analyst.UtteranceUser:
			n = 0
		case u.Role == analyst.UtteranceTool && strings.HasPrefix(u.CallID, "plan_step_"):
			n++
		}
	}
	return n
}

// passed reports whether a fault with a limited number of times has already happened that often in this
// turn.
func (p *Provider) passed(turn string, times int) bool {
	if times == 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults[turn] >= times {
		delete(p.faults, turn)
		return true
	}
	p.faults[turn]++
	return false
}

// before returns an error that happens before the first byte.
func before(ctx context.Context, s Script) error {
	if s.Fault == "silent" {
		<-ctx.Done()
		return fmt.Errorf("scripted silence: %w", ctx.Err())
	}
	status := statusOf(s.Fault)
	if status == 0 {
		return nil
	}
	e := &analyst.ProviderError{Status: status, RetryAfter: s.Retry, Cause: errors.New("scripted fault")}
	switch {
	case status == 429:
		e.Retryable, e.Reason = true, "The model is busy (too many requests)."
	case status >= 500:
		e.Retryable, e.Reason = true, "The model is not available right now."
	default:
		e.Reason = fmt.Sprintf("The model refused the request (status %d).", status)
	}
	return e
}

// nextCall returns the next tool call of the script after the calls that were already made.
func nextCall(s Script, made int) *analyst.ToolCall {
	call := func(name string, args any) *analyst.ToolCall {
		body, err := json.Marshal(args)
		if err != nil {
			body = []byte("{}")
		}
		return &analyst.ToolCall{ID: "call_" + strconv.Itoa(made+1), Name: name, Args: body}
	}
	switch s.Fault {
	case "loop":
		return call(analyst.ToolDescribeSource, analyst.DescribeSourceArgs{Source: strconv.Itoa(made)})
	case "args":
		return &analyst.ToolCall{ID: "call_" + strconv.Itoa(made+1), Name: analyst.ToolRunQuery, Args: json.RawMessage(`{"sql": "SELECT`)}
	case "tool":
		return call("no_such_tool", struct{}{})
	}
	if made < s.Calls {
		return call(analyst.ToolListSources, struct{}{})
	}
	made -= s.Calls
	if s.Query != "" {
		if made == 0 {
			return call(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: s.Query, Title: "Scripted query"})
		}
		made--
	}
	if s.Chart != "" && made == 0 {
		return call(analyst.ToolMakeChart, analyst.MakeChartArgs{Kind: s.Chart})
	}
	return nil
}

// part is the text of a voice on one channel.
type part struct {
	channel analyst.Channel
	seed    uint64
	tokens  int
}

// voice streams tokens at the script's rate. The fields that each token uses come first, so that they
// share cache lines.
type voice struct {
	emit  func(analyst.Piece) error
	wheel *pace.Wheel
	start time.Time
	rate  float64 // tokens a second
	// count is the number of tokens that were sent in total, said the number that were sent of the
	// current part, and tokens the number of tokens of that part.
	count, said, tokens int
	channel             analyst.Channel
	stamp, faulty       bool
	failed              error
	words               *speaker

	script Script
	ctx    context.Context //nolint:containedctx // lives for one call, which has this context
	// parts are the parts after the current one.
	parts []part
	bytes int // bytes of the answer so far, if it has a fault
}

// Stamp returns token n of a stamped answer: its number and the time at which it was made, always 24
// bytes, "%08d-%014x " with microseconds since 1970. A load tester reads its position and its age from
// the text alone.
func Stamp(n int, at time.Time) string {
	// This does not use fmt: at 100,000 tokens a second fmt would cost a tenth of a node's time.
	const hex = "0123456789abcdef"
	b := [24]byte{8: '-', 23: ' '}
	for i := 7; i >= 0; i-- {
		b[i] = hex[n%10]
		n /= 10
	}
	micro := at.UnixMicro()
	for i := 22; i > 8; i-- {
		b[i] = hex[micro&15]
		micro >>= 4
	}
	return string(b[:])
}

// speak streams all parts.
func (v *voice) speak() error {
	if !v.left() {
		return nil
	}
	if v.rate > 0 {
		if err := v.wheel.Walk(v.ctx, v.start, v); err != nil {
			return fmt.Errorf("scripted stream: %w", err)
		}
		return v.failed
	}
	for more := true; more; more = v.say() {
		if err := v.ctx.Err(); err != nil {
			return fmt.Errorf("scripted stream: %w", err)
		}
	}
	return v.failed
}

// left reports whether there is something left to send, and moves to it.
func (v *voice) left() bool {
	for v.said == v.tokens {
		if len(v.parts) == 0 {
			return false
		}
		next := v.parts[0]
		v.parts = v.parts[1:]
		answer := next.channel == analyst.ChannelAnswer
		v.channel, v.said, v.tokens, v.words = next.channel, 0, next.tokens, newSpeaker(next.seed)
		v.stamp, v.faulty = answer && v.script.Stamp, answer && v.script.Fault != ""
	}
	return true
}

// Step implements pace.Walker: it sends one token and returns when the next one is due.
func (v *voice) Step() (time.Time, bool) {
	if !v.say() {
		return time.Time{}, false
	}
	return v.start.Add(time.Duration(float64(v.count) / v.rate * float64(time.Second))), true
}

// say sends one token and reports whether there are more.
func (v *voice) say() bool {
	var text string
	if v.stamp {
		text = Stamp(v.said, v.wheel.Now())
	} else {
		text = v.words.next()
	}
	v.said++
	v.count++
	if v.faulty {
		v.failed = v.spoil(text)
	} else {
		v.failed = v.emit(analyst.Piece{Channel: v.channel, Text: text})
	}
	return v.failed == nil && v.left()
}

// spoil sends a token of the answer with the script's fault.
func (v *voice) spoil(text string) error {
	say := func(s string) error { return v.emit(analyst.Piece{Text: s}) }
	left := v.script.At - v.bytes
	v.bytes += len(text)
	switch v.script.Fault {
	case "cut", "stall":
		if len(text) < left {
			return say(text)
		}
		// The part of the token before the place of the fault is sent.
		if left > 0 {
			if err := say(text[:left]); err != nil {
				return err
			}
		}
		if v.script.Fault == "stall" {
			<-v.ctx.Done()
			return fmt.Errorf("scripted stall: %w", v.ctx.Err())
		}
		return &analyst.ProviderError{Retryable: true, Reason: "The connection to the model broke.", Cause: io.ErrUnexpectedEOF}
	case "split":
		for i := range len(text) {
			if err := say(text[i : i+1]); err != nil {
				return err
			}
		}
		return nil
	case "garbage":
		return say(text + "\xff\xc3\x28\x00")
	case "huge":
		return say(strings.Repeat(text, hugeBytes/len(text)))
	case "panic":
		if err := say(text); err != nil {
			return err
		}
		panic("scripted panic")
	default:
		return say(text)
	}
}
