package main

// Running totals outside of panels: a meter that is read now and then, each one on days of its own. Such a table has no
// periods with several entities, so it is no panel, and still its numbers must not be added up.

import (
	"errors"
	"slices"
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
				for i := range found {
					found[i].SampledEntities = entities
				}
				t.facts.Running = &domain.RunningFacts{Entity: namesOf(entity), Time: p.Name, Series: found}
				return nil
			}
		}
	}
	return nil
}

// runs measures the numbers that never fall: first in a sample of the entities, then over all rows.
func (t *surveyed) runs(
	end time.Time, entity []*surveyedColumn, period *surveyedColumn, numbers []*surveyedColumn,
) (found []domain.SeriesFacts, err error) {
	for _, where := range slices.Compact([]string{t.sample(entity), ""}) {
		if found, err = t.moves(end, entity, period, numbers, where); err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(s domain.SeriesFacts) bool {
			return s.Steps < runningSteps || s.Falling > 0 || s.Rising*runningRising < s.Steps
		})
		numbers = nil
		for _, s := range found {
			numbers = append(numbers, t.column(s.Column))
		}
	}
	return found, nil
}
