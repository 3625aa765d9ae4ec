package analyst

// Memories that a turn recalls, for the analyst itself and for its specialists (docs/knowledge.md).
// Their ids are in the journaled input of the first model call, so another attempt recalls the same
// ones.

import (
	"context"
	"encoding/json"
	"slices"

	"parley.dev/parley/domain"
)

// recalled are the memories of one section of a turn, for each specialist.
type recalled struct {
	main, charts, insights, summary []domain.Memory
}

func (m *recalled) empty() bool { return len(m.main)+len(m.charts)+len(m.insights)+len(m.summary) == 0 }

// recalledIDs are the ids of the memories in the journal, so that an attempt on another node recalls
// the same memories.
type recalledIDs struct {
	Main     []int64 `json:"analyst,omitempty"`
	Charts   []int64 `json:"chartReview,omitempty"`
	Insights []int64 `json:"insights,omitempty"`
	Summary  []int64 `json:"endOfTurnSummary,omitempty"`
}

// stepInput is the journaled input of a model call.
type stepInput struct {
	Stage    Stage       `json:"stage,omitempty"`
	PlanStep int         `json:"planStep,omitempty"`
	Agent    int64       `json:"agent,omitempty"`
	Memories recalledIDs `json:"memories,omitzero"`
}

// input describes the next model call. A plain turn without memories has none.
func (r *run) input() json.RawMessage {
	in := stepInput{Stage: r.stage, Memories: recalledIDs{
		Main: idsOf(r.memories.main), Charts: idsOf(r.memories.charts), Insights: idsOf(r.memories.insights), Summary: idsOf(r.memories.summary),
	}}
	if r.job.Turn.Plan != nil {
		in.Agent = r.agent.ID
		if r.planStep != nil {
			in.PlanStep = r.planStep.Number
		}
	} else if r.memories.empty() {
		return nil
	}
	body, err := json.Marshal(in)
	if err != nil {
		// Encoding numbers and fixed words cannot fail.
		return nil
	}
	return body
}

func idsOf(memories []domain.Memory) []int64 {
	var out []int64
	for i := range memories {
		out = append(out, memories[i].ID)
	}
	return out
}

// recall finds the memories for the question of this section. If an earlier attempt already made model calls in it, the
// memories are the same, except those that were disabled since.
func (r *run) recall(ctx context.Context) error {
	r.memories = recalled{}
	if r.cfg.Memories == nil || r.bare() {
		return nil
	}
	if had, ok := r.recalledBefore(); ok {
		return r.recallAgain(ctx, had)
	}
	a, question := r.agent, cut(r.question(), recallText)
	type search struct {
		into *[]domain.Memory
		q    domain.Recall
	}
	var searches []search
	// The steps of a plan write no summary; the closing of a plan does, and so does a turn without a
	// plan.
	if r.planStep == nil && !a.Summary.Disabled {
		searches = append(searches, search{&r.memories.summary, domain.Recall{Text: question, Specialist: domain.SpecialistSummary}})
	}
	if r.stage != StageSummary {
		if r.planStep != nil && len(r.planStep.Memories) > 0 {
			if err := r.recallNamed(ctx, &r.memories.main, r.planStep.Memories, ""); err != nil {
				return err
			}
		}
		if !a.Knowledge.Disabled {
			searches = append(searches,
				search{&r.memories.main, domain.Recall{Text: question, Labels: a.Knowledge.MemoryLabels, IDs: a.Knowledge.Memories}})
		}
		if !a.ChartReview.Disabled {
			searches = append(searches, search{&r.memories.charts, domain.Recall{
				Text: question, Labels: a.ChartReview.MemoryLabels, IDs: a.ChartReview.Memories, Specialist: domain.SpecialistChart,
			}})
		}
		if !a.Insights.Disabled {
			searches = append(searches, search{&r.memories.insights, domain.Recall{
				Text: question, Labels: a.Insights.MemoryLabels, IDs: a.Insights.Memories, Specialist: domain.SpecialistInsights,
			}})
		}
	}
	for _, s := range searches {
		found, err := r.cfg.Memories.Recall(ctx, r.job.Caller.OrganisationID, r.user(), s.q)
		if err != nil {
			return wrap(err, "recall memories")
		}
		r.keep(s.into, found)
	}
	return nil
}

// recallText is the maximum number of bytes of a question that memories are compared with.
const recallText = 4000

// keep adds memories that are not in the list yet. It drops memories of another organisation
// and disabled ones, even if the store returns them.
func (r *run) keep(into *[]domain.Memory, found []domain.Memory) {
	for i := range found {
		m := found[i]
		known := slices.ContainsFunc(*into, func(o domain.Memory) bool { return o.ID == m.ID })
		if !known && len(*into) < domain.MaxRecalled && m.IsEnabled && m.OrganisationID == r.job.Caller.OrganisationID {
			*into = append(*into, m)
		}
	}
}

// recallNamed reads memories by their ids, in that order, and no others.
func (r *run) recallNamed(ctx context.Context, into *[]domain.Memory, ids []int64, s domain.Specialist) error {
	if len(ids) == 0 {
		return nil
	}
	// The store returns only enabled memories of the organization; keep checks it again.
	found, err := r.cfg.Memories.Recall(ctx, r.job.Caller.OrganisationID, r.user(), domain.Recall{IDs: ids, Specialist: s})
	if err != nil {
		return wrap(err, "recall memories")
	}
	for _, id := range ids {
		if i := slices.IndexFunc(found, func(m domain.Memory) bool { return m.ID == id }); i >= 0 {
			r.keep(into, found[i:i+1])
		}
	}
	return nil
}

// recallAgain reads the memories of the first attempt by their ids. Memories that were disabled since are missing.
func (r *run) recallAgain(ctx context.Context, had recalledIDs) error {
	for _, s := range []struct {
		into *[]domain.Memory
		ids  []int64
		who  domain.Specialist
	}{
		{&r.memories.main, had.Main, ""},
		{&r.memories.charts, had.Charts, domain.SpecialistChart},
		{&r.memories.insights, had.Insights, domain.SpecialistInsights},
		{&r.memories.summary, had.Summary, domain.SpecialistSummary},
	} {
		if err := r.recallNamed(ctx, s.into, s.ids, s.who); err != nil {
			return err
		}
	}
	return nil
}

// recalledBefore finds in the journal the memories of this section: the input of its first
// model call.
func (r *run) recalledBefore() (recalledIDs, bool) {
	// Entries before this section belong to other steps of a plan.
	at := 0
	if r.planStep != nil {
		at = r.planStep.Number
	}
	for n := r.step + 1; ; n++ {
		done, ok := r.replay[n]
		if !ok {
			return recalledIDs{}, false
		}
		if done.Kind != domain.StepModel {
			continue
		}
		var in stepInput
		if len(done.Input) > 0 {
			if err := json.Unmarshal(done.Input, &in); err != nil {
				// After a damaged entry the memories are recalled again.
				return recalledIDs{}, false
			}
		}
		// The entry must be of the same section, or the memories would be those of another step.
		return in.Memories, in.PlanStep == at && (in.Stage == StageSummary) == (r.stage == StageSummary)
	}
}
