package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
)

// TestLanguage_Phrased has questions with words about the form of their answers, and what the grammar reads of them.
func TestLanguage_Phrased(t *testing.T) {
	t.Parallel()
	l := newLanguage()
	for _, c := range []struct{ name, asked, read string }{
		{
			"AnOrderByWhatIsCounted", "How many papers has each venue, ordered by the number of papers in descending order?",
			"How many papers has each venue, descending",
		},
		{
			"AnOrderInASentence", "How many papers has each venue? Sort the results in ascending order.",
			"How many papers has each venue, ascending",
		},
		{"AnOrderBySomethingElseStays", "papers by venue, ordered by the name of the venue", "papers by venue, ordered by the name of the venue"},
		{"AnOrderByAnotherCountStays", "papers by venue, ordered by the number of authors", "papers by venue, ordered by the number of authors"},
		{"AnOutputThatIsNamed", "What is the revenue of each region? Give the regions and their revenue.", "What is the revenue of each region?"},
		{
			"AnOutputThatIsNew", "What is the revenue of each region? Give the profit, too.",
			"What is the revenue of each region? Give the profit, too.",
		},
		{"AllOfTheData", "How many authors are there in the database?", "How many authors are there?"},
		{"WhatTheDataAre", "what is in this data", "what is in this data"},
		{"APlace", "restaurants that are located in Paris", "restaurants in Paris"},
		{"ARelation", "number of words associated with each paper", "number of words for each paper"},
		{"Names", "What are the names of all the rivers?", "list the rivers?"},
		{"NamesAndANumber", "What are the names and areas of the lakes in Chad?", "list by name the areas of the lakes in Chad?"},
		{"TwiceASuperlative", "Which street has the most number of shops?", "Which street has the most shops?"},
		{"OneWord", "revenue", "revenue"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.read, l.phrased(c.asked))
		})
	}
}

// TestSplitKeyName splits the names of keys only where there is such a table.
func TestSplitKeyName(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{{Name: "s1.papers"}, {Name: "s1.writes"}}
	for name, want := range map[string][]string{
		"paperid":       {"paper", "id"},
		"citingpaperid": {"citing", "paper", "id"},
		"paid":          {"paid"},
		"grid":          {"grid"},
		"authorid":      {"authorid"},
		"paper_id":      {"paper", "id"},
	} {
		require.Equal(t, want, splitKeyName(splitName(name), tables), name)
	}
}
