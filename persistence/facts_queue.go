package persistence

// Measurements as they are given out. The tables themselves are the queue: what has no facts is to be measured, so an
// upload needs no entry, sources of an earlier release are found by themselves, and nothing is lost with a node. A claim has
// an end by the database's clock, so the measurement of a lost node is claimed again, and each result proves its claim.

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

const (
	// factsClaim is how long a claim lasts: longer than the longest measurement with the waiting for a worker.
	factsClaim = 4 * time.Minute
	// factsPause is how long a failed measurement rests before its second try, and twice as long before the third.
	factsPause = time.Minute
	// factsInterrupted is how long one rests that was interrupted, such as by the end of its node.
	factsInterrupted = time.Minute
)

// ClaimFacts implements domain.FactsQueue. Files come before links, which need the facts of two files.
func (s Facts) ClaimFacts(ctx context.Context) (*domain.FactsTask, error) {
	task, err := s.claimSource(ctx)
	if task != nil || err != nil {
		return task, translate(err)
	}
	task, err = s.claimLinks(ctx)
	return task, translate(err)
}

func (s Facts) claimSource(ctx context.Context) (*domain.FactsTask, error) {
	claim := domain.NewID()
	row, err := s.q.FactsClaim(ctx, s.engine, &dbsqlc.FactsClaimParams{
		Rules: domain.FactsRules, Claim: claim, Seconds: factsClaim.Seconds(), Most: domain.FactsAttempts,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // there is nothing to measure
	}
	if err != nil {
		return nil, err
	}
	task := &domain.FactsTask{Claim: claim, Attempt: int(row.Attempts)}
	if task.Sources, err = s.claimed(ctx, map[int64]string{row.DataSourceID: row.WorkKey}); err != nil || task.Sources == nil {
		return nil, err
	}
	before, err := s.q.FactsBefore(ctx, s.engine, &dbsqlc.FactsBeforeParams{DataSourceID: row.DataSourceID, WorkKey: row.WorkKey})
	if errors.Is(err, pgx.ErrNoRows) {
		return task, nil
	}
	if err != nil {
		return nil, err
	}
	facts, err := decodedFacts[domain.SourceFacts](before)
	task.Known = []domain.SourceFacts{facts}
	return task, err
}

func (s Facts) claimLinks(ctx context.Context) (*domain.FactsTask, error) {
	claim := domain.NewID()
	row, err := s.q.LinkFactsClaim(ctx, s.engine, &dbsqlc.LinkFactsClaimParams{
		Claim: claim, Seconds: factsClaim.Seconds(), Rules: domain.FactsRules, Most: domain.FactsAttempts,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // there is nothing to measure
	}
	if err != nil {
		return nil, err
	}
	task := &domain.FactsTask{Claim: claim, Attempt: int(row.Attempts)}
	task.Sources, err = s.claimed(ctx, map[int64]string{row.FirstID: row.FirstWorkKey, row.SecondID: row.SecondWorkKey})
	if err != nil || task.Sources == nil {
		return nil, err
	}
	for i := range task.Sources {
		d := &task.Sources[i]
		body, err := s.q.FactsOf(ctx, s.engine, &dbsqlc.FactsOfParams{DataSourceID: d.ID, WorkKey: d.WorkKey})
		if err != nil {
			return nil, err
		}
		facts, err := decodedFacts[domain.SourceFacts](body)
		if err != nil {
			return nil, err
		}
		task.Known = append(task.Known, facts)
	}
	return task, nil
}

// claimed reads the data sources of a claim with their tables; nil if one of them has another file by now. The tables are
// read first: a file that is replaced in between has another work key then, and old and new tables are never mixed.
func (s Facts) claimed(ctx context.Context, workKeys map[int64]string) ([]domain.DataSource, error) {
	ids := make([]int64, 0, len(workKeys))
	for id := range workKeys {
		ids = append(ids, id)
	}
	tables, err := s.q.DataResourceList(ctx, s.engine, ids)
	if err != nil {
		return nil, err
	}
	rows, err := s.q.FactsSources(ctx, s.engine, ids)
	if err != nil || len(rows) != len(workKeys) {
		return nil, err
	}
	out := make([]domain.DataSource, len(rows))
	for i, row := range rows {
		if row.WorkKey != workKeys[row.ID] {
			return nil, nil
		}
		out[i] = domain.DataSource{ID: row.ID, OrganisationID: row.OrgID, Name: row.Name, WorkKey: row.WorkKey}
		for _, t := range tables {
			if t.DataSourceID != row.ID {
				continue
			}
			resource, err := resourceOf(t)
			if err != nil {
				return nil, err
			}
			out[i].Resources = append(out[i].Resources, *resource)
		}
	}
	return out, nil
}

// FinishFacts implements domain.FactsQueue.
func (s Facts) FinishFacts(ctx context.Context, task *domain.FactsTask, result *domain.FactsResult) error {
	return inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
		if len(task.Sources) == 2 {
			return s.finishLinks(ctx, tx, task, result.Links)
		}
		return s.finishSource(ctx, tx, task, result.Facts)
	})
}

// finishSource stores facts, removes those of earlier files, and asks for the links of the new file.
func (s Facts) finishSource(ctx context.Context, tx pgx.Tx, task *domain.FactsTask, facts *domain.SourceFacts) error {
	d := &task.Sources[0]
	changes, err := s.changesOf(ctx, tx, task, facts)
	if err != nil {
		return err
	}
	body, err := encodedFacts(facts)
	if err != nil {
		return err
	}
	n, err := s.q.FactsFinish(ctx, tx, &dbsqlc.FactsFinishParams{
		Body: body, Changes: changes, DataSourceID: d.ID, WorkKey: d.WorkKey, Rules: domain.FactsRules, Claim: task.Claim,
	})
	// Without a row the file was replaced, or another node has the measurement by now.
	if err != nil || n == 0 {
		return err
	}
	err = s.q.FactsForget(ctx, tx, &dbsqlc.FactsForgetParams{DataSourceID: d.ID, WorkKey: d.WorkKey, Rules: domain.FactsRules})
	if err != nil {
		return err
	}
	return s.q.LinkFactsAgain(ctx, tx, &dbsqlc.LinkFactsAgainParams{Rules: domain.FactsRules, DataSourceID: d.ID})
}

// changesOf compares a new file with the one before. If the file is the same and only the rules are new, the changes stay.
func (s Facts) changesOf(ctx context.Context, tx pgx.Tx, task *domain.FactsTask, facts *domain.SourceFacts) (string, error) {
	if len(task.Known) > 0 {
		return encodedFacts(append([]domain.FactChange{}, domain.CompareFacts(&task.Known[0], facts)...))
	}
	changes, err := s.q.FactsChangesBefore(ctx, tx, &dbsqlc.FactsChangesBeforeParams{
		DataSourceID: task.Sources[0].ID, WorkKey: task.Sources[0].WorkKey, Rules: domain.FactsRules,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return "[]", nil
	}
	return changes, err
}

// finishLinks stores the links of a pair. What changed stays with them, because only who may read both may know it.
func (s Facts) finishLinks(ctx context.Context, tx pgx.Tx, task *domain.FactsTask, links []domain.SourceLink) error {
	a, b := &task.Sources[0], &task.Sources[1]
	changes := []domain.FactChange{}
	before, err := s.q.LinkFactsBefore(ctx, tx, &dbsqlc.LinkFactsBeforeParams{
		FirstID: a.ID, SecondID: b.ID, FirstWorkKey: a.WorkKey, SecondWorkKey: b.WorkKey,
	})
	switch {
	case err == nil:
		old, err := decodedFacts[[]domain.SourceLink](before)
		if err != nil {
			return err
		}
		changes = append(changes, domain.CompareLinks(old, links)...)
	case !errors.Is(err, pgx.ErrNoRows):
		return err
	}
	body, err := encodedFacts(append([]domain.SourceLink{}, links...))
	if err != nil {
		return err
	}
	changed, err := encodedFacts(changes)
	if err != nil {
		return err
	}
	n, err := s.q.LinkFactsFinish(ctx, tx, &dbsqlc.LinkFactsFinishParams{
		Body: body, Changes: changed, FirstID: a.ID, SecondID: b.ID, FirstWorkKey: a.WorkKey, SecondWorkKey: b.WorkKey,
		Rules: domain.FactsRules, Claim: task.Claim,
	})
	if err != nil || n == 0 {
		return err
	}
	return s.q.LinkFactsForget(ctx, tx, &dbsqlc.LinkFactsForgetParams{
		FirstID: a.ID, SecondID: b.ID, FirstWorkKey: a.WorkKey, SecondWorkKey: b.WorkKey, Rules: domain.FactsRules,
	})
}

// FailFacts implements domain.FactsQueue.
func (s Facts) FailFacts(ctx context.Context, task *domain.FactsTask, interrupted bool) error {
	rest, uncounted := (time.Duration(task.Attempt) * factsPause).Seconds(), int32(0)
	if interrupted {
		rest, uncounted = factsInterrupted.Seconds(), 1
	}
	a := &task.Sources[0]
	if len(task.Sources) == 1 {
		return translate(s.q.FactsFail(ctx, s.engine, &dbsqlc.FactsFailParams{
			Seconds: rest, DataSourceID: a.ID, WorkKey: a.WorkKey, Rules: domain.FactsRules, Claim: task.Claim,
			Uncounted: uncounted,
		}))
	}
	b := &task.Sources[1]
	return translate(s.q.LinkFactsFail(ctx, s.engine, &dbsqlc.LinkFactsFailParams{
		Seconds: rest, FirstID: a.ID, SecondID: b.ID, FirstWorkKey: a.WorkKey, SecondWorkKey: b.WorkKey, Rules: domain.FactsRules,
		Claim: task.Claim, Uncounted: uncounted,
	}))
}
