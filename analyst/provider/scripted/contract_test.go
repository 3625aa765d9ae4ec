package scripted_test

import (
	"testing"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/providertest"
	"parley.dev/parley/analyst/provider/scripted"
)

func TestProvider_Contract(t *testing.T) {
	t.Parallel()
	script := func(text string) *analyst.Request {
		return &analyst.Request{Turns: []analyst.Utterance{{Role: analyst.UtteranceUser, Text: text}}}
	}
	providertest.Contract(t, providertest.Subject{
		Provider: scripted.New(scripted.Config{}), Answers: script("seed=7 tokens=40 plan=5 summary=5 rate=0"),
		Endless: script("seed=7 tokens=100000 rate=50"),
	})
}
