package builtin

import (
	"time"

	"parley.dev/parley/analyst"
)

// Reading is what a question was read as.
type Reading struct {
	// Understood false means that it is not answered.
	Understood bool
	Plan       string
	SQL        string
	Title      string
	Ignored    []string
}

// Read reads the last of the questions, in the light of those before it, over
// the tables. It is what the provider does, without a conversation around it.
func Read(tables []analyst.Table, now time.Time, questions ...string) Reading {
	p := newPlanner(newLanguage(), tables, today(now), questions)
	f := p.follow(questions)
	if f == nil || f.help || !f.understood() {
		r := Reading{}
		if f != nil {
			r.Ignored = f.ignored
		}
		return r
	}
	return Reading{Understood: true, Plan: plan(f), SQL: sql(f), Title: title(f), Ignored: f.ignored}
}
