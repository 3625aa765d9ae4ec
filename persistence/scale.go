package persistence

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// ScaleOrganisation is the name of the organisation that SeedScale fills.
const ScaleOrganisation = "Scale"

// Scale says how much SeedScale makes. The same values make the same rows, as
// far as the database does not number them.
type Scale struct {
	People        int    // at least 1; 0 means 1,000
	Conversations int    // 0 means 100,000
	Messages      int    // in all conversations; 0 means 2,000,000
	Blueprints    int    // 0 means 10,000
	Seed          uint64 // 0 means 1

	// Progress is told how far it is. Nil: nobody is.
	Progress func(what string, done, of int)
}

// mustValidate fills in the zero values and refuses what cannot work.
func (c *Scale) mustValidate() {
	for _, n := range []struct {
		value *int
		usual int
	}{{&c.People, 1000}, {&c.Conversations, 100_000}, {&c.Messages, 2_000_000}, {&c.Blueprints, 10_000}} {
		if *n.value == 0 {
			*n.value = n.usual
		}
		if *n.value < 0 {
			panic("persistence: a Scale has no negative numbers")
		}
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Progress == nil {
		c.Progress = func(string, int, int) {}
	}
}

// ScaleEmail is the address of one of the people, who are counted from 1 on.
// The smaller the number, the more a person has.
func ScaleEmail(n int) string { return fmt.Sprintf("scale-%04d@scale.example", n) }

// scaleWorld is what the rows of one run refer to.
type scaleWorld struct {
	Scale
	org, analyst                   int64
	day                            time.Time
	people, teams, labels, sources []int64
}

// SeedScale fills an organisation of its own with as much as a big customer has,
// to measure with. It takes up where an earlier run was cut short, and adds
// nothing to what a whole run has made. Nothing that a server uses is locked for
// longer than a group of conversations takes.
func (s *Store) SeedScale(ctx context.Context, c Scale) error {
	c.mustValidate()
	if err := s.Samples.Seed(ctx, SeedInput{Organisations: []SeedOrganisation{{Name: ScaleOrganisation}}}); err != nil {
		return err
	}
	w := &scaleWorld{Scale: c}
	if err := s.core.scaleNouns(ctx, w); err != nil {
		return err
	}
	groups := w.groups()
	done := 0
	for i := range groups {
		c.Progress("conversations", done, c.Conversations)
		if err := s.core.scaleGroup(ctx, w, groups[i]); err != nil {
			return err
		}
		done += len(groups[i].Ids)
	}
	c.Progress("conversations", done, c.Conversations)
	err := inTransaction(ctx, s.core.engine, func(tx pgx.Tx) error {
		err := s.core.q.ScaleTasks(ctx, tx, &dbsqlc.ScaleTasksParams{
			Seed: int64(w.Seed), OrgID: w.org, Topics: scaleTopics(), Day: w.day, People: w.people, //nolint:gosec // any number will do
		})
		if err != nil {
			return err
		}
		return s.core.q.ScaleUserEvents(ctx, tx, &dbsqlc.ScaleUserEventsParams{Day: w.day, OrgID: w.org})
	})
	if err != nil {
		return err
	}
	return s.core.analyse(ctx)
}

// analyse tells the planner of what has come and marks the pages that everybody
// sees, without which an index alone answers nothing, where the pool may: only an
// owner of the tables may do so. Else the server does it by itself some minutes
// later, and whoever measures meanwhile measures that.
func (s *core) analyse(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.cfg.URL)
	if err != nil {
		return unavailable(err)
	}
	_, err = conn.Exec(ctx, "VACUUM (ANALYZE)")
	return translate(firstOf(err, conn.Close(context.WithoutCancel(ctx))))
}

// firstOf is the first error of some.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// scaleNouns makes all but the conversations, in one transaction.
func (s *core) scaleNouns(ctx context.Context, w *scaleWorld) error {
	seed := int64(w.Seed) //nolint:gosec // any number will do
	w.Progress("people, teams, projects, agents, memories, connectors, blueprints", 0, 1)
	err := inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
		var err error
		if w.org, err = s.q.SeedOrganisation(ctx, tx, ScaleOrganisation); err != nil {
			return err
		}
		if w.day, err = s.q.ScaleDay(ctx, tx, w.org); err != nil {
			return err
		}
		if err := s.scalePeople(ctx, tx, w, seed); err != nil {
			return err
		}
		people, topics := w.people, scaleTopics()
		for _, step := range []func() error{
			func() error {
				return s.q.ScaleLabels(ctx, tx, &dbsqlc.ScaleLabelsParams{OrgID: w.org, People: people, Topics: topics, Seed: seed, Labels: 200})
			},
			func() error { return s.scaleMemories(ctx, tx, w, seed) },
			func() error {
				return s.q.ScaleAnalysts(ctx, tx, &dbsqlc.ScaleAnalystsParams{OrgID: w.org, Teams: w.teams, People: people, Topics: topics, Analysts: 50})
			},
			func() error {
				owners := w.owners("source", len(people))
				return s.q.ScaleSources(ctx, tx, &dbsqlc.ScaleSourcesParams{OrgID: w.org, Topics: topics, Seed: seed, Owners: owners, People: people, Teams: w.teams})
			},
			func() error {
				return s.q.ScaleCategories(ctx, tx, &dbsqlc.ScaleCategoriesParams{OrgID: w.org, Topics: topics})
			},
		} {
			if err := step(); err != nil {
				return err
			}
		}
		if w.labels, err = s.q.ScaleLabelIDs(ctx, tx, w.org); err != nil {
			return err
		}
		if w.sources, err = s.q.ScaleSourceIDs(ctx, tx, w.org); err != nil {
			return err
		}
		analyst, err := s.q.AnalystDefault(ctx, tx, w.org)
		if err != nil {
			return err
		}
		w.analyst = analyst.Analyst.ID
		return s.q.ScaleBlueprints(ctx, tx, &dbsqlc.ScaleBlueprintsParams{
			OrgID: w.org, Day: w.day, Topics: topics, Labels: w.labels, Seed: seed, Owners: w.owners("blueprint", w.Blueprints), People: people, Teams: w.teams,
		})
	})
	w.Progress("people, teams, projects, agents, memories, connectors, blueprints", 1, 1)
	return err
}

// scalePeople makes people and teams of some 25; each person is in one or two.
func (s *core) scalePeople(ctx context.Context, tx pgx.Tx, w *scaleWorld, seed int64) error {
	first, last := scaleNames()
	err := s.q.ScalePeople(ctx, tx, &dbsqlc.ScalePeopleParams{
		Seed: seed, OrgID: w.org, FirstNames: first, LastNames: last, People: int32(w.People), //nolint:gosec // millions at most
	})
	if err != nil {
		return err
	}
	if w.people, err = s.q.ScalePeopleIDs(ctx, tx, w.org); err != nil {
		return err
	}
	number := max(len(w.people)/25, 1)
	if err := s.q.ScaleTeams(ctx, tx, &dbsqlc.ScaleTeamsParams{OrgID: w.org, Teams: int32(number)}); err != nil { //nolint:gosec // millions at most
		return err
	}
	if w.teams, err = s.q.ScaleTeamIDs(ctx, tx, w.org); err != nil {
		return err
	}
	var teams, users []int64
	for i, user := range w.people {
		teams, users = append(teams, w.teams[i%len(w.teams)]), append(users, user)
		if i%3 == 0 {
			teams, users = append(teams, w.teams[i*7%len(w.teams)]), append(users, user)
		}
	}
	return s.q.ScaleTeamMembers(ctx, tx, &dbsqlc.ScaleTeamMembersParams{Teams: teams, Users: users, OrgID: w.org})
}

// scaleMemories makes two for each person, with the words by which they are found.
func (s *core) scaleMemories(ctx context.Context, tx pgx.Tx, w *scaleWorld, seed int64) error {
	number := 2 * len(w.people)
	p := dbsqlc.ScaleMemoriesParams{OrgID: w.org, Seed: seed, Day: w.day, Owners: w.owners("memory", number)}
	t := dbsqlc.ScaleMemoryTermsParams{OrgID: w.org, Seed: seed}
	topics, asked := scaleTopics(), scalePrompts()
	for i := range number {
		question := fmt.Sprintf("%s About %s %d.", asked[i%len(asked)], topics[i*3%len(topics)], i)
		terms := domain.Terms(question)
		p.Questions, p.TermCounts = append(p.Questions, question), append(p.TermCounts, int32(len(terms))) //nolint:gosec // at most domain.MaxTerms
		for _, term := range terms {
			t.Places, t.Terms = append(t.Places, int64(i+1)), append(t.Terms, term)
		}
	}
	if err := s.q.ScaleMemories(ctx, tx, &p); err != nil {
		return err
	}
	return s.q.ScaleMemoryTerms(ctx, tx, &t)
}

// scaleGroup makes a group of conversations, or finds that it is there: a group
// is all or nothing.
func (s *core) scaleGroup(ctx context.Context, w *scaleWorld, g *dbsqlc.ScaleConversationsParams) error {
	has, err := s.q.ScaleHasConversation(ctx, s.engine, g.Ids[0])
	if err != nil || has {
		return translate(err)
	}
	g.OrgID, g.AnalystID, g.Prompts, g.Answers = w.org, w.analyst, scalePrompts(), scaleAnswers()
	return inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
		// Whatever a crash of the server takes away the next run makes again.
		if _, err := tx.Exec(ctx, "SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '64MB'"); err != nil {
			return err //nolint:wrapcheck // translated by inTransaction
		}
		return s.q.ScaleConversations(ctx, tx, g)
	})
}

// ScaleCounts is how much there is of what SeedScale makes.
type ScaleCounts struct{ People, Conversations, Messages, Blueprints int64 }

// ScaleCounts counts what there is; without the organisation, nothing.
func (s *Store) ScaleCounts(ctx context.Context) (ScaleCounts, error) {
	row, err := s.core.q.ScaleCounts(ctx, s.core.engine, ScaleOrganisation)
	if err != nil {
		return ScaleCounts{}, translate(err)
	}
	return ScaleCounts(*row), nil
}

// scaleID is the name of one of the conversations, with its time in front.
func scaleID(hash [32]byte, at time.Time) uuid.UUID {
	id := uuid.UUID(hash[:16])
	ms := at.UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (8 * (5 - i))) //nolint:gosec // the byte is what is wanted
	}
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id
}
