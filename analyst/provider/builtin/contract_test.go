package builtin_test

import (
	"testing"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/providertest"
)

func TestProvider_Contract(t *testing.T) {
	t.Parallel()
	asked := &analyst.Request{Turns: []analyst.Utterance{{Role: analyst.UtteranceUser, Text: "What was the revenue by region?"}}}
	providertest.Contract(t, providertest.Subject{
		Provider: builtin.New(builtin.Config{}), Answers: asked,
		Slow: builtin.New(builtin.Config{Pace: 20 * time.Millisecond}), Endless: asked,
	})
}
