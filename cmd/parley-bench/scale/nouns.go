package scale

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/cmd/parley-bench/scale/scaledb"
	"parley.dev/parley/domain"
)

// makePeople creates people, and teams of about 25; each person is in one or two teams.
func (f *filler) makePeople(ctx context.Context, tx pgx.Tx) error {
	first, last := names()
	err := f.q.PeopleInsert(ctx, tx, &scaledb.PeopleInsertParams{
		Seed: f.seed(), OrgID: f.org, FirstNames: first, LastNames: last, People: int32(f.People), //nolint:gosec // millions at most
	})
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	if f.people, err = f.q.PeopleIDs(ctx, tx, f.org); err != nil {
		return fmt.Errorf("read people: %w", err)
	}
	number := max(len(f.people)/25, 1)
	err = f.q.TeamsInsert(ctx, tx, &scaledb.TeamsInsertParams{OrgID: f.org, Teams: int32(number)}) //nolint:gosec // millions at most
	if err != nil {
		return fmt.Errorf("teams: %w", err)
	}
	if f.teams, err = f.q.TeamIDs(ctx, tx, f.org); err != nil {
		return fmt.Errorf("read teams: %w", err)
	}
	var teams, users []int64
	for i, user := range f.people {
		teams, users = append(teams, f.teams[i%len(f.teams)]), append(users, user)
		if i%3 == 0 {
			teams, users = append(teams, f.teams[i*7%len(f.teams)]), append(users, user)
		}
	}
	if err := f.q.TeamMembersInsert(ctx, tx, &scaledb.TeamMembersInsertParams{Teams: teams, Users: users, OrgID: f.org}); err != nil {
		return fmt.Errorf("members of teams: %w", err)
	}
	return nil
}

// makeLabels creates the projects.
func (f *filler) makeLabels(ctx context.Context, tx pgx.Tx) error {
	err := f.q.LabelsInsert(ctx, tx, &scaledb.LabelsInsertParams{
		OrgID: f.org, People: f.people, Topics: topics(), Seed: f.seed(), Labels: 200,
	})
	if err != nil {
		return fmt.Errorf("projects: %w", err)
	}
	if f.labels, err = f.q.LabelIDs(ctx, tx, f.org); err != nil {
		return fmt.Errorf("read projects: %w", err)
	}
	return nil
}

// makeMemories creates two memories for each person, with the words of their index.
func (f *filler) makeMemories(ctx context.Context, tx pgx.Tx) error {
	number := 2 * len(f.people)
	p := scaledb.MemoriesInsertParams{OrgID: f.org, Seed: f.seed(), Day: f.day, Owners: f.owners("memory", number)}
	t := scaledb.MemoryTermsInsertParams{OrgID: f.org, Seed: f.seed()}
	about, asked := topics(), prompts()
	for i := range number {
		question := fmt.Sprintf("%s About %s %d.", asked[i%len(asked)], about[i*3%len(about)], i)
		terms := domain.Terms(question)
		p.Questions = append(p.Questions, question)
		p.TermCounts = append(p.TermCounts, int32(len(terms))) //nolint:gosec // at most domain.MaxTerms
		for _, term := range terms {
			t.Places, t.Terms = append(t.Places, int64(i+1)), append(t.Terms, term)
		}
	}
	if err := f.q.MemoriesInsert(ctx, tx, &p); err != nil {
		return fmt.Errorf("memories: %w", err)
	}
	if err := f.q.MemoryTermsInsert(ctx, tx, &t); err != nil {
		return fmt.Errorf("words of memories: %w", err)
	}
	return nil
}

// makeAnalysts creates agents in addition to the default one.
func (f *filler) makeAnalysts(ctx context.Context, tx pgx.Tx) error {
	err := f.q.AnalystsInsert(ctx, tx, &scaledb.AnalystsInsertParams{
		OrgID: f.org, Teams: f.teams, People: f.people, Topics: topics(), Analysts: 50,
	})
	if err != nil {
		return fmt.Errorf("agents: %w", err)
	}
	return nil
}

// makeSources creates as many data sources as people.
func (f *filler) makeSources(ctx context.Context, tx pgx.Tx) error {
	err := f.q.SourcesInsert(ctx, tx, &scaledb.SourcesInsertParams{
		OrgID: f.org, Topics: topics(), Seed: f.seed(), Owners: f.owners("source", len(f.people)), People: f.people, Teams: f.teams,
	})
	if err != nil {
		return fmt.Errorf("data sources: %w", err)
	}
	if f.sources, err = f.q.SourceIDs(ctx, tx, f.org); err != nil {
		return fmt.Errorf("read data sources: %w", err)
	}
	return nil
}

// makeBlueprints creates the use case categories and the blueprints.
func (f *filler) makeBlueprints(ctx context.Context, tx pgx.Tx) error {
	if err := f.q.CategoriesInsert(ctx, tx, &scaledb.CategoriesInsertParams{OrgID: f.org, Topics: topics()}); err != nil {
		return fmt.Errorf("categories: %w", err)
	}
	err := f.q.BlueprintsInsert(ctx, tx, &scaledb.BlueprintsInsertParams{
		OrgID: f.org, Day: f.day, Topics: topics(), Labels: f.labels, Seed: f.seed(),
		Owners: f.owners("blueprint", f.Blueprints), People: f.people, Teams: f.teams,
	})
	if err != nil {
		return fmt.Errorf("blueprints: %w", err)
	}
	return nil
}
