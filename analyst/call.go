package analyst

// One call of a model: its retries, the watchdog for its silence, and its output. A call is repeated only while none of its
// output was shown (G2).

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/telemetry"
)

// call makes one model call with its retries, and once more with a shorter context if that
// was too long. The output holds what arrived, even if the call failed in the middle.
func (r *run) call(ctx context.Context) (*modelOutput, error) {
	var lost Usage // of tries that failed before their first text
	shrunk := false
	for try := 0; ; {
		out, err := r.stream(ctx)
		var vendor *ProviderError
		again := errors.As(err, &vendor) && len(out.Texts) == 0 && len(out.Calls) == 0
		if vendor != nil && !again {
			// Text that was shown is not withdrawn, so the call is not retried.
			broken := *vendor
			broken.Midstream = true
			err = &broken
		}
		if !again {
			r.estimate(out)
		}
		out.Usage.add(lost)
		// A context that is too long is shortened once; a second refusal is final.
		if again && vendor.TooLong && !shrunk {
			shrunk, lost = true, out.Usage
			if err := r.shrink(ctx); err != nil {
				return out, err
			}
			continue
		}
		if !again || !vendor.Retryable || try >= r.cfg.Retries {
			return out, err
		}
		lost = out.Usage
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "model call failed before its first byte and is made again",
			slog.String("provider", r.provider.Name()), slog.Int("status", vendor.Status), slog.Int("try", try+1))
		if err := r.waitBeforeRetry(ctx, vendor, try); err != nil {
			return out, err
		}
		try++
	}
}

// waitBeforeRetry waits before the next try: at least as long as the vendor asked; else the backoff,
// doubled each time, times a random factor between 0.5 and 1.5.
func (r *run) waitBeforeRetry(ctx context.Context, vendor *ProviderError, try int) error {
	// The random factor spreads the retries of calls that failed at the same time.
	wait := time.Duration(float64(r.cfg.Backoff<<try) * (0.5 + r.cfg.Jitter()))
	notice := "The model is not answering. Trying again."
	if vendor.RetryAfter > 0 {
		wait = time.Duration(float64(vendor.RetryAfter) * (1 + r.cfg.Jitter()/10) * float64(time.Second))
		wait = min(wait, r.cfg.MaxRetryAfter)
		notice = fmt.Sprintf("The model is busy. Trying again in %d s.", int(wait/time.Second))
	}
	if err := r.sink.Progress(ctx, notice); err != nil {
		return wrap(err, "report a wait")
	}
	return pause(ctx, r.cfg.Clock, wait)
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, c clock.Clock, d time.Duration) error {
	over := make(chan struct{})
	timer := c.AfterFunc(d, func() { close(over) })
	defer timer.Stop()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", ctx.Err())
	}
}

// modelCall is one attempt to call the model. The fields that each token uses come first,
// so that they share cache lines.
type modelCall struct {
	run *run
	ctx context.Context //nolint:containedctx // lives for one call, which has this context
	// guard's first fields are written first, then those of out.
	guard   watchdog
	out     modelOutput
	aliveAt time.Duration // when Sink.Alive was last called, since the call began; 0 means never
}

// stream makes one attempt and shows its pieces as they arrive.
func (r *run) stream(ctx context.Context) (*modelOutput, error) {
	ctx, span := telemetry.Call(ctx, r.provider.Name(), r.model())
	guarded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &modelCall{run: r, ctx: guarded}
	c.guard.start(r.cfg, cancel)
	defer c.guard.stop()

	end, err := r.provider.Stream(guarded, r.request(), c.handle)
	out := &c.out
	span.Called(end.Usage.InputTokens, end.Usage.OutputTokens, failureCode(err))
	out.Usage, out.Vendor = end.Usage, end.Vendor
	out.copyText()
	if err == nil {
		err = r.unfinished(out, end.Reason)
	}
	// After a failure the message stays open: the end of the turn closes it with its status.
	if err == nil {
		if len(out.Calls) > 0 && out.speaks(ChannelAnswer) {
			// Text before tool calls is not the answer, which comes from the tools' results.
			if err := r.speech.markWorking(ctx); err != nil {
				return out, err
			}
		}
		return out, r.speech.close(ctx)
	}
	if ctx.Err() != nil {
		return out, fmt.Errorf("model call: %w", ctx.Err())
	}
	var silent *ProviderError
	if guarded.Err() != nil && errors.As(context.Cause(guarded), &silent) {
		return out, silent
	}
	return out, err
}

// failureCode names the failure of a call without its text; empty for nil.
func failureCode(err error) string {
	var vendor *ProviderError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.As(err, &vendor) && vendor.Status != 0:
		return strconv.Itoa(vendor.Status)
	default:
		return "provider"
	}
}

// These texts are shown to people when a call ended without an answer.
const (
	reasonCut    = "The answer was cut here: the model has reached its length limit. Write “continue” to get the rest."
	reasonUsedUp = "The model reached its length limit before it had said anything. Ask for less at once, or give it more room for " +
		"its answers."
	reasonNothing = "The model ended without an answer."
)

// unfinished is the error of a call that ended normally without an answer; nil if it has one.
func (r *run) unfinished(out *modelOutput, reason EndReason) error {
	silent := len(out.Texts)+len(out.Calls)+len(out.Held) == 0
	switch {
	case reason == EndLength && silent:
		return &ProviderError{Reason: reasonUsedUp}
	case reason == EndLength:
		out.Calls = nil
		return &ProviderError{Reason: reasonCut}
	case silent && r.stage == StageWork && !r.bare() && r.speech.all(ChannelAnswer).Len() == 0:
		// Some models occasionally return nothing; another attempt usually helps.
		return &ProviderError{Retryable: true, Reason: reasonNothing}
	default:
		return nil
	}
}

// handle processes one piece of the call.
func (c *modelCall) handle(p Piece) error {
	if p.Alive {
		return c.alive()
	}
	c.guard.enter()
	defer c.guard.leave()
	r, out := c.run, &c.out
	if p.Text != "" {
		channel, spoken := r.route(p.Channel)
		if !spoken {
			if p.Channel == ChannelSummary {
				out.Held += domain.Clean(p.Text)
			}
			return r.countHidden(len(p.Text))
		}
		lead := r.speech.leadBytes
		said, all, err := r.speech.say(c.ctx, channel, p.Text)
		if err != nil {
			return err
		}
		out.Lead += r.speech.leadBytes - lead
		out.add(channel, said, all)
	}
	if p.Annotation != nil {
		return r.speech.annotate(c.ctx, *p.Annotation)
	}
	if p.Call != nil {
		call := *p.Call
		call.Args = validJSON(call.Args)
		out.Calls = append(out.Calls, call)
	}
	return nil
}

// aliveEvery is the minimum time between two reports to the sink that a silent model is at work.
const aliveEvery = time.Second

// alive handles a sign that the vendor is at work without text yet.
func (c *modelCall) alive() error {
	c.guard.leave()
	at := time.Duration(c.guard.lastPiece.Load())
	if c.aliveAt == 0 || at-c.aliveAt >= aliveEvery {
		c.aliveAt = at
		c.run.sink.Alive()
	}
	return nil
}

// countHidden counts text that is not shown, because it also counts towards the limit of text.
func (r *run) countHidden(n int) error {
	if r.hiddenBytes += n; r.hiddenBytes > r.cfg.MaxText {
		return errText()
	}
	return nil
}

// route returns the channel on which a piece is shown, and whether it is shown. The steps of a plan
// show no summaries of their own: one summary closes the turn.
func (r *run) route(c Channel) (Channel, bool) {
	switch {
	case r.stage == StageSummary:
		return ChannelSummary, c != ChannelPlan
	case c == ChannelSummary && (r.planStep != nil || r.agent.Summary.Disabled):
		return c, false
	case r.stage == StageReview:
		return ChannelAnswer, c != ChannelPlan
	default:
		return c, true
	}
}

// add adds text to the last entry, or begins a new one for another channel. all is the whole text of the channel, and ends with
// the new text.
func (o *modelOutput) add(c Channel, text string, all *domain.Growing) {
	if text == "" {
		return
	}
	if o.all == nil || o.on != c {
		o.copyText()
		o.on, o.all = c, all
		o.Texts = append(o.Texts, spokenText{Channel: c})
		o.from = all.Len() - len(text)
	}
	o.to = all.Len()
}

// speaks reports whether a channel has text.
func (o *modelOutput) speaks(c Channel) bool {
	return slices.ContainsFunc(o.Texts, func(t spokenText) bool { return t.Channel == c })
}

// copyText ends the last entry: its text is copied from the growing text.
func (o *modelOutput) copyText() {
	if o.all != nil {
		o.Texts[len(o.Texts)-1].Text = o.all.Slice(o.from, o.to)
		o.all = nil
	}
}

// estimate fills in the usage of a call that has output but no count of tokens: it failed in the
// middle, or its vendor does not count.
func (r *run) estimate(o *modelOutput) {
	if o.used() || len(o.Texts)+len(o.Calls)+len(o.Held) == 0 {
		return
	}
	o.Usage.InputTokens = int64(tokens(r.system))
	for _, u := range r.turns {
		o.Usage.InputTokens += int64(tokens(u.Text))
	}
	for _, t := range o.Texts {
		o.Usage.OutputTokens += int64(tokens(t.Text))
	}
	for _, c := range o.Calls {
		o.Usage.OutputTokens += int64(tokens(string(c.Args)))
	}
}

// request returns the input of the next model call.
func (r *run) request() *Request {
	q := &Request{
		Model: r.agent.Model, System: r.system, Turns: r.fitted(), Tools: toolSpecs(r.tables, r.planStep != nil),
		Tables: r.tables, Meaning: r.meaning, Guide: r.guide(), Seed: r.job.Turn.ID.String(), Step: r.step,
	}
	if r.stage == StageSummary || r.withoutTools {
		q.Tools = nil
	}
	return q
}

// watchdog ends a model call that is silent for too long. One timer serves the whole call: when it
// fires, it checks the time since the last piece and is set again for the remaining time, so that a
// piece does not reset a timer.
type watchdog struct {
	// lastPiece is written by the call, for each piece, and read by the timer: when the last
	// piece was handled, in nanoseconds since began and at least 1, or a value below.
	lastPiece atomic.Int64
	began     time.Time
	clock     clock.Clock

	first  time.Duration
	stall  time.Duration
	cancel context.CancelCauseFunc

	mu    sync.Mutex // guards what follows; written by the call and the timer
	done  bool
	timer clock.Timer
}

// These values of watchdog.lastPiece are not times.
const (
	noPiece = 0
	// pieceInProgress means that a piece is being handled: a slow store does not count as silence of the
	// model.
	pieceInProgress = -1
)

// start begins the watch. The timer first fires at the shorter of the two limits.
func (w *watchdog) start(cfg *Config, cancel context.CancelCauseFunc) {
	w.clock, w.first, w.stall, w.cancel, w.began = cfg.Clock, cfg.FirstByteTimeout, cfg.StallTimeout, cancel, cfg.Clock.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = cfg.Clock.AfterFunc(min(w.first, w.stall), w.check)
}

// enter and leave are around the handling of a piece.
func (w *watchdog) enter() { w.lastPiece.Store(pieceInProgress) }

func (w *watchdog) leave() { w.lastPiece.Store(max(1, int64(w.clock.Now().Sub(w.began)))) }

// check runs when the timer fires.
func (w *watchdog) check() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return
	}
	heard, limit, reason := w.lastPiece.Load(), w.stall, "The model stopped answering (timeout)."
	if heard == noPiece {
		limit, reason = w.first, "The model did not begin to answer in time (timeout)."
	}
	left := limit - (w.clock.Now().Sub(w.began) - time.Duration(heard))
	switch {
	case heard == pieceInProgress:
		left = w.stall
	case left <= 0:
		w.cancel(&ProviderError{Reason: reason})
		return
	}
	w.timer = w.clock.AfterFunc(left, w.check)
}

// stop ends the watch. A timer that fires at this moment does nothing.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = true
	w.timer.Stop()
}

// tokens estimates the number of tokens of a text; four bytes a token is the usual rule.
func tokens(s string) int { return (len(s) + 3) / 4 }

// unknownTool returns the error for a model that calls a tool that does not exist.
func unknownTool(name string) error {
	return domain.Errorf(domain.CodeInvalid, "There is no tool named %q. The tools are: list_sources, describe_source, run_query, "+
		"make_chart, save_file, statistics, find_values, ask_person.", domain.Shorten(name, 60))
}
