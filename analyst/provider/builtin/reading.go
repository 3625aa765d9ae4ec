package builtin

import (
	"time"

	"parley.dev/parley/analyst"
)

// Reading is the result of reading a question.
type Reading struct {
	// Understood is false if the question is not answered.
	Understood bool
	Plan       string
	SQL        string
	Title      string
	Ignored    []string
}

// Read reads the last of the questions, in the context of the questions before it, with the tables. It
// does what the provider does, without a conversation.
func Read(tables []analyst.Table, now time.Time, questions ...string) Reading {
	p := newPlanner(newLanguage(), tables, nil, today(now), questions)
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
