package main

// Running totals outside of panels: a meter that is read now and then, each one on days of its own. Such a table has no
// periods with several entities, so it is no panel, and still its numbers must not be added up.

import (
	"errors"
	"fmt"
	"time"

	"parley.dev/parley/domain"
)

const (
	// runningSteps is how many steps of all entities are needed: with fewer, numbers may rise by chance.
	runningSteps = 20
	// A running total rises in at least half of its steps, and never falls.
	runningRising = 2
)

// findRunning looks for numbers that never fall along the times of each entity, if the table is no panel.
func (t *surveyed) findRunning() error {
	if t.facts.Panel != nil || t.facts.Rows < runningSteps || len(t.facts.Keys) == 0 {
		return nil
	}
	err := t.running(time.Now().Add(panelTime))
	if errors.Is(err, errUnfit) {
		t.leaveOut(domain.FactRunning)
		return nil
	}
	return err
}

// running takes the first pair of an entity and a time that is unique and has a number that runs along it.
func (t *surveyed) running(end time.Time) error {
	periods, err := t.periods(end)
	if err != nil {
		return err
	}
	for _, p := range periods[:min(periodsTried, len(periods))] {
		if !p.class.isTime() {
			continue
		}
		for _, e := range t.entities(periods) {
			// A number that repeats is a name only if it is called one.
			if e.class != classText && !keyLike(e.words) {
				continue
			}
			entity := []*surveyedColumn{e}
			entities, err := t.exactly(time.Until(end), e)
			if err != nil {
				return err
			}
			numbers := t.followed(entity, p)
			if t.facts.Rows < periodsOfEntity*entities || len(numbers) == 0 {
				continue
			}
			found, err := t.runs(end, entity, p, numbers)
			if err != nil {
				return err
			}
			if len(found) == 0 {
				continue
			}
			// Rows of one entity with the same time have no order.
			unique, err := t.proveKey(end, []*surveyedColumn{e, p})
			if err != nil {
				return err
			}
			if unique {
				t.facts.Running = found
				return nil
			}
		}
	}
	return nil
}

// runs returns the numbers that never fall: first those of a sample of the entities, then those of all of them.
func (t *surveyed) runs(
	end time.Time, entity []*surveyedColumn, period *surveyedColumn, numbers []*surveyedColumn,
) ([]domain.RunningFacts, error) {
	if where := t.sample(entity); where != "" {
		sampled, err := t.runsOf(end, entity, period, numbers, where)
		if err != nil || len(sampled) == 0 {
			return nil, err
		}
		numbers = numbers[:0:0]
		for _, r := range sampled {
			numbers = append(numbers, t.column(r.Column))
		}
	}
	return t.runsOf(end, entity, period, numbers, "")
}

func (t *surveyed) runsOf(
	end time.Time, entity []*surveyedColumn, period *surveyedColumn, numbers []*surveyedColumn, where string,
) ([]domain.RunningFacts, error) {
	var out []domain.RunningFacts
	const each = 3 // cells of a number
	for first := 0; first < len(numbers); first += followedAtOnce {
		batch := numbers[first:min(first+followedAtOnce, len(numbers))]
		sql := "SELECT "
		for i := range batch {
			if i > 0 {
				sql += ", "
			}
			sql += fmt.Sprintf("count(*) FILTER (c%[1]d IS NOT NULL AND p%[1]d IS NOT NULL)::VARCHAR, "+
				"count(*) FILTER (c%[1]d < p%[1]d)::VARCHAR, count(*) FILTER (c%[1]d > p%[1]d)::VARCHAR", i)
		}
		found, err := t.s.numbers(time.Until(end), sql+" FROM "+t.steps(entity, period, batch, where))
		if err != nil {
			return nil, err
		}
		for i, c := range batch {
			steps, falling, rising := found[each*i], found[each*i+1], found[each*i+2]
			if steps >= runningSteps && falling == 0 && rising*runningRising >= steps {
				out = append(out, domain.RunningFacts{
					Column: c.Name, Entity: namesOf(entity), Time: period.Name, Steps: steps, Rising: rising,
				})
			}
		}
	}
	return out, nil
}
