package analyst

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// historyMessages is how far back the history is read.
const historyMessages = 60

// fenceOf makes the delimiter of data in a turn's context. It comes from the
// turn's id, which whoever wrote the data could not know.
func fenceOf(turn uuid.UUID) string {
	sum := sha256.Sum256(turn[:])
	return hex.EncodeToString(sum[:6])
}

// history gives the earlier messages that fit, oldest first. Messages of this
// turn are left out: an earlier attempt of it comes from the journal.
func (r *run) history(ctx context.Context) ([]Utterance, error) {
	if r.cfg.History == nil {
		return nil, nil
	}
	messages, err := r.cfg.History.Messages(ctx, r.job.Turn.ConversationID, historyMessages)
	if err != nil {
		return nil, wrap(err, "read the conversation")
	}
	var out []Utterance
	room := r.cfg.HistoryTokens
	for _, m := range slices.Backward(messages) {
		if m.ID == r.job.Prompt.ID || (m.TurnID == r.job.Turn.ID && m.TurnID != uuid.Nil) {
			continue
		}
		u, ok := r.utterance(&m)
		if !ok {
			continue
		}
		if room -= tokens(u.Text); room < 0 {
			break
		}
		out = append(out, u)
	}
	slices.Reverse(out)
	return out, nil
}

// utterance is a stored message as a model sees it. Debug and executive texts
// repeat what others say and are left out.
func (r *run) utterance(m *domain.Message) (Utterance, bool) {
	if domain.Blank(m.Text) {
		return Utterance{}, false
	}
	switch m.Role {
	case domain.RoleUser:
		return Utterance{Role: UtteranceUser, Text: m.Text}, true
	case domain.RoleAssistant:
		return Utterance{Role: UtteranceAssistant, Text: oneText(m.Text, 4000)}, true
	case domain.RoleUserProxy:
		return Utterance{Role: UtteranceAssistant, Text: "(result of an earlier query)\n" + r.asData(oneText(m.Text, 2000))}, true
	case domain.RoleSummary, domain.RoleInternal, domain.RoleCoordinator:
		return Utterance{}, false
	default:
		return Utterance{}, false
	}
}

// oneText cuts a long text and says so.
func oneText(s string, limit int) string {
	if short := cut(s, limit); len(short) < len(s) {
		return short + " …"
	}
	return s
}

// readable reads, now, which of the turn's data sources the person may use.
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
	// What the agent was given is asked where the person chose nothing.
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
