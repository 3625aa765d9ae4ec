package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestNewFeedback_Validate(t *testing.T) {
	t.Parallel()
	kept := domain.NewFeedback{Comments: []string{"  Thank you", " ", ""}}
	require.NoError(t, kept.Validate())
	require.Equal(t, []string{"Thank you"}, kept.Comments, "blank comments are left out")
	require.NoError(t, (&domain.NewFeedback{
		Labels:   make([]int64, domain.FeedbackLabelsMax),
		Comments: []string{strings.Repeat("é", 300)},
	}).Validate())

	comments := make([]string, domain.CommentsMax+1)
	for i := range comments {
		comments[i] = "x"
	}
	for outcome, row := range map[string]struct {
		given domain.NewFeedback
		field string
	}{
		"ErrNothing":      {domain.NewFeedback{}, "label"},
		"ErrBlank":        {domain.NewFeedback{Comments: []string{" "}}, "label"},
		"ErrLong":         {domain.NewFeedback{Comments: []string{strings.Repeat("x", 301)}}, "comment"},
		"ErrNUL":          {domain.NewFeedback{Comments: []string{"a\x00"}}, "comment"},
		"ErrManyComments": {domain.NewFeedback{Comments: comments}, "comment"},
		"ErrManyLabels":   {domain.NewFeedback{Labels: make([]int64, domain.FeedbackLabelsMax+1)}, "label"},
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			wrong := broken(t, row.given.Validate())
			require.Len(t, wrong, 1)
			require.Contains(t, wrong, row.field)
		})
	}
}

func TestNewComment_Validate(t *testing.T) {
	t.Parallel()
	given := domain.NewComment{Feedback: 7, Text: "  Why?"}
	require.NoError(t, given.Validate())
	require.Equal(t, "Why?", given.Text)
	require.Equal(t, map[string]string{"feedback": "This field is required.", "text": "Please enter a comment"},
		broken(t, (&domain.NewComment{Text: " "}).Validate()))
	require.Contains(t, broken(t, (&domain.NewComment{Feedback: 7, Text: strings.Repeat("x", 301)}).Validate()), "text")
}
