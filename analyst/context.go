package analyst

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// historyMessages is the number of messages of the history that are read.
const historyMessages = 60

// fenceOf returns the delimiter of data in a conversation's context. It stays the same from turn to turn, so that a vendor's
// cache recognises the beginning of the prompt. An attacker who knows it cannot end a block, because between removes it from
// every text. It consists of digits only, so it has only one spelling.
func fenceOf(conversation uuid.UUID) string {
	sum := sha256.Sum256(conversation[:])
	return fmt.Sprintf("%015d", binary.BigEndian.Uint64(sum[:])%1e15)
}

// exchange is a prompt with its answer.
type exchange struct {
	prompt  domain.Message
	made    []domain.Message
	results []*earlierResult
}

// notAnswered replaces the answer of a prompt that got none, so that a model does not read
// the next prompt as a part of it.
const notAnswered = "(This was not answered.)"

// history returns the earlier exchanges that fit, oldest first, and records the results of their queries. Messages of this turn
// are left out, because an earlier attempt of it comes from the journal.
func (r *run) history(ctx context.Context) ([]Utterance, error) {
	if r.cfg.History == nil {
		return nil, nil
	}
	messages, err := r.cfg.History.Messages(ctx, r.job.Turn.ConversationID, historyMessages)
	if err != nil {
		return nil, wrap(err, "read the conversation")
	}
	exchanges := r.exchanges(messages)
	budget, first := r.budgets.history, len(exchanges)
	texts := make([][]Utterance, len(exchanges))
	for i := range slices.Backward(exchanges) {
		texts[i] = exchanges[i].utterances()
		for _, u := range texts[i] {
			budget -= tokens(u.Text)
		}
		if budget < 0 {
			break
		}
		first = i
	}
	for i := range exchanges {
		r.earlierResults = append(r.earlierResults, exchanges[i].results...)
	}
	return slices.Concat(texts[first:]...), nil
}

// exchanges groups messages by their prompts. Messages before the first prompt are left out, because their own prompt was not
// read.
func (r *run) exchanges(messages []domain.Message) []exchange {
	var out []exchange
	for i := range messages {
		m := &messages[i]
		switch {
		case m.ID == r.job.Prompt.ID || (m.TurnID == r.job.Turn.ID && m.TurnID != uuid.Nil):
		case m.Role == domain.RoleUser:
			out = append(out, exchange{prompt: *m})
		case len(out) > 0:
			e := &out[len(out)-1]
			e.made = append(e.made, *m)
			if found := earlierOf(m); found != nil {
				found.ref, found.asked = refOf(e.prompt.Seq, len(e.results)+1), e.prompt.Text
				e.results = append(e.results, found)
			}
		}
	}
	return out
}

// utterances returns an exchange as a model sees it: the question and the answer. Debug and executive
// texts repeat other messages and are left out; results of queries are in the system prompt.
func (e *exchange) utterances() []Utterance {
	out := []Utterance{{Role: UtteranceUser, Text: e.prompt.Text}}
	for i := range e.made {
		if m := &e.made[i]; m.Role == domain.RoleAssistant && !domain.Blank(m.Text) {
			out = append(out, Utterance{Role: UtteranceAssistant, Text: oneText(m.Text, 4000)})
		}
	}
	if len(out) == 1 {
		out = append(out, Utterance{Role: UtteranceAssistant, Text: notAnswered})
	}
	return out
}

// oneText cuts a long text and marks the cut.
func oneText(s string, limit int) string {
	if short := cut(s, limit); len(short) < len(s) {
		return short + " …"
	}
	return s
}

// readable returns the data sources of the turn that the person may use now.
func (r *run) readable(ctx context.Context) ([]domain.DataSource, error) {
	ids := r.job.Prompt.DataSources
	if len(ids) == 0 {
		attached, err := r.cfg.DataSources.OfConversation(ctx, r.job.Caller, r.job.Turn.ConversationID)
		if err != nil {
			return nil, wrap(err, "read the attached data sources")
		}
		for i := range attached {
			ids = append(ids, attached[i].ID)
		}
	}
	// If the person chose no data source, the data sources of the agent are used.
	if len(ids) == 0 && r.agent != nil {
		ids = r.agent.Connectors
	}
	if len(ids) == 0 {
		return nil, nil
	}
	sources, err := r.cfg.DataSources.Readable(ctx, r.job.Caller.OrganisationID, r.user(), ids)
	if err != nil {
		return nil, wrap(err, "read the data sources")
	}
	return sources, nil
}

// gone reports whether the person chose data sources and none of them may be read any more.
func (r *run) gone() bool { return len(r.job.Prompt.DataSources) > 0 && len(r.sources) == 0 }

// missing returns how many of the sources that the person chose may no longer be read, if others may;
// 0 if none may be read, because there is another text for that case.
func (r *run) missing() int {
	if len(r.sources) == 0 {
		return 0
	}
	chosen := make(map[int64]bool)
	for _, id := range r.job.Prompt.DataSources {
		chosen[id] = true
	}
	for i := range r.sources {
		delete(chosen, r.sources[i].ID)
	}
	return len(chosen)
}
