package persistence_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_Feedback(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	anna, ben := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben)
	cleo, doris := persistencetest.Caller(t, s, persistencetest.Cleo), persistencetest.Caller(t, s, persistencetest.Doris)

	// Ben owns the conversation, Cleo may read it, Anna is a superuser without a grant.
	setup := func(t *testing.T) (o *owned, prompt, answer uuid.UUID) {
		t.Helper()
		o = own(t, s, j, persistencetest.Ben)
		turn, prompt := o.prompt("How many?")
		answer = o.open(turn, prompt)
		require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
		o.grant(persistencetest.Cleo, domain.PermissionRead)
		return o, prompt, answer
	}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		o, _, answer := setup(t)
		f, err := s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{
			Message: answer, Labels: []int64{12, 14, 12},
			Comments: []string{"  The sum is off", " "},
		})
		require.NoError(t, err)
		require.Equal(t, "Dislike", f.Sentiment.Name)
		require.Equal(t, []domain.SentimentLabel{{ID: 12, Name: "Wrong numbers"}, {ID: 14, Name: "Chart or table is wrong"}}, f.Sentiment.Labels)
		require.Equal(t, "Cleo Carr", f.User.FullName)
		require.Equal(t, o.Conversation, f.Conversation.ID)
		require.Len(t, f.Comments, 1)
		require.Equal(t, "The sum is off", f.Comments[0].Text)

		for _, who := range []domain.Caller{ben, cleo, anna} {
			seen, err := s.Feedback.Feedback(ctx, who, f.ID)
			require.NoError(t, err, who.FullName)
			require.Equal(t, f, seen)
		}
		_, err = s.Feedback.Feedback(ctx, doris, f.ID)
		requireCode(t, domain.CodeNotFound, err)

		added, err := s.Feedback.AddComment(ctx, ben, domain.NewComment{Feedback: f.ID, Text: "\n I will look"})
		require.NoError(t, err)
		require.Equal(t, "I will look", added.Text)
		comments, err := s.Feedback.Comments(ctx, cleo, answer)
		require.NoError(t, err)
		require.Equal(t, []string{"The sum is off", "I will look"}, []string{comments[0].Text, comments[1].Text})
		_, err = s.Feedback.AddComment(ctx, doris, domain.NewComment{Feedback: f.ID, Text: "Me too"})
		requireCode(t, domain.CodeNotFound, err)
		_, err = s.Feedback.Comments(ctx, doris, answer)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("AHundredCommentsAtMost", func(t *testing.T) {
		t.Parallel()
		_, _, answer := setup(t)
		f, err := s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{Message: answer, Labels: []int64{1}})
		require.NoError(t, err)
		_, err = persistencetest.Connect(t, url, "parley_engine").Exec(ctx,
			"INSERT INTO feedback_comment (org_id, feedback_id, user_id, text) SELECT $1, $2, $3, 'Again' FROM generate_series(1, 98)",
			cleo.OrganisationID, f.ID, cleo.UserID)
		require.NoError(t, err)
		var (
			wait  sync.WaitGroup
			taken atomic.Int64
		)
		for range 8 {
			wait.Go(func() {
				_, err := s.Feedback.AddComment(ctx, ben, domain.NewComment{Feedback: f.ID, Text: "And again"})
				if err == nil {
					taken.Add(1)
				} else if domain.CodeOf(err) != domain.CodeInvalid {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		require.EqualValues(t, 2, taken.Load())
		seen, err := s.Feedback.Feedback(ctx, cleo, f.ID)
		require.NoError(t, err)
		require.Len(t, seen.Comments, 100)
	})
	t.Run("SeenByGiverOwnerAndSuperuserOnly", func(t *testing.T) {
		t.Parallel()
		o, _, answer := setup(t)
		mine, err := s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{Message: answer, Labels: []int64{1}})
		require.NoError(t, err)
		owners, err := s.Feedback.GiveFeedback(ctx, ben, domain.NewFeedback{Message: answer, Labels: []int64{21}})
		require.NoError(t, err)
		_, err = s.Feedback.Feedback(ctx, cleo, owners.ID)
		requireCode(t, domain.CodeNotFound, err)

		of := func(c domain.Caller, scope domain.FeedbackScope) []domain.Feedback {
			by, err := s.Feedback.FeedbackOf(ctx, c, o.Conversation, scope)
			require.NoError(t, err)
			return by[answer]
		}
		require.Equal(t, []domain.Feedback{*mine}, of(cleo, domain.FeedbackAll), "a reader sees only their own feedback")
		require.Equal(t, []domain.Feedback{*owners}, of(ben, domain.FeedbackOwn))
		require.Equal(t, []domain.Feedback{*mine, *owners}, of(ben, domain.FeedbackAll))
		require.Equal(t, []domain.Feedback{*mine, *owners}, of(anna, domain.FeedbackAll))
		require.Empty(t, of(anna, domain.FeedbackOwn))
		require.Empty(t, of(doris, domain.FeedbackAll))
		require.Empty(t, of(ben, domain.FeedbackNone))
	})
	t.Run("ErrConflictB15", func(t *testing.T) {
		t.Parallel()
		_, _, answer := setup(t)
		var wg sync.WaitGroup
		codes := make([]domain.Code, 8)
		for i := range codes {
			wg.Go(func() {
				_, err := s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{Message: answer, Labels: []int64{1}})
				codes[i] = domain.CodeOf(err)
			})
		}
		wg.Wait()
		given := 0
		for _, code := range codes {
			if code == "" {
				given++
				continue
			}
			require.Equal(t, domain.CodeConflict, code)
		}
		require.Equal(t, 1, given)
	})
	t.Run("SameKeyOnce", func(t *testing.T) {
		t.Parallel()
		_, _, answer := setup(t)
		n := domain.NewFeedback{Message: answer, Labels: []int64{1}, Key: domain.IdempotencyKey{Key: uuid.NewString()}}
		first, err := s.Feedback.GiveFeedback(ctx, cleo, n)
		require.NoError(t, err)
		again, err := s.Feedback.GiveFeedback(ctx, cleo, n)
		require.NoError(t, err)
		require.Equal(t, first, again)
		k := domain.NewComment{Feedback: first.ID, Text: "Once", Key: domain.IdempotencyKey{Key: uuid.NewString()}}
		one, err := s.Feedback.AddComment(ctx, cleo, k)
		require.NoError(t, err)
		two, err := s.Feedback.AddComment(ctx, cleo, k)
		require.NoError(t, err)
		require.Equal(t, one, two)
		n.Key.Body[0] = 1
		_, err = s.Feedback.GiveFeedback(ctx, cleo, n)
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		t.Parallel()
		_, prompt, answer := setup(t)
		for name, n := range map[string]domain.NewFeedback{
			"nothing":        {Message: answer},
			"blank comment":  {Message: answer, Comments: []string{" \n"}},
			"two sentiments": {Message: answer, Labels: []int64{1, 11}},
			"no such label":  {Message: answer, Labels: []int64{1, 999}},
			"long comment":   {Message: answer, Labels: []int64{1}, Comments: []string{strings.Repeat("é", domain.CommentMax+1)}},
			"NUL":            {Message: answer, Comments: []string{"a\x00"}},
			"of a prompt":    {Message: prompt, Labels: []int64{1}},
		} {
			_, err := s.Feedback.GiveFeedback(ctx, cleo, n)
			requireCode(t, domain.CodeInvalid, err)
			_, err = s.Feedback.GiveFeedback(ctx, doris, n)
			require.Error(t, err, name)
		}
		f, err := s.Feedback.GiveFeedback(ctx, cleo,
			domain.NewFeedback{Message: answer, Comments: []string{strings.Repeat("é", domain.CommentMax)}})
		require.NoError(t, err, "a comment alone is a question")
		require.Equal(t, "Question", f.Sentiment.Name)
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		t.Parallel()
		_, _, answer := setup(t)
		for _, who := range []domain.Caller{doris, anna} {
			_, err := s.Feedback.GiveFeedback(ctx, who, domain.NewFeedback{Message: answer, Labels: []int64{1}})
			requireCode(t, domain.CodeNotFound, err)
		}
		_, err := s.Feedback.Comments(ctx, cleo, uuid.New())
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ErrNotFoundWhileItWaited", func(t *testing.T) {
		t.Parallel()
		o, _, answer := setup(t)
		f, err := s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{Message: answer, Labels: []int64{1}})
		require.NoError(t, err)
		const key = "hashtextextended('comments of feedback', $1::bigint)"
		tx := hold(t, url, "SELECT pg_advisory_xact_lock("+key+")", f.ID)
		told := make(chan error, 1)
		go func() {
			_, err := s.Feedback.AddComment(ctx, cleo, domain.NewComment{Feedback: f.ID, Text: "Late"})
			told <- err
		}()
		require.Eventually(t, func() bool {
			var waits bool
			err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted "+
				"AND objid = ("+key+" & 4294967295)::bigint::oid)", f.ID).Scan(&waits)
			return err == nil && waits
		}, time.Minute, time.Millisecond)
		// The right is read under the lock, not before it.
		o.grant(persistencetest.Cleo, domain.PermissionRemove)
		require.NoError(t, tx.Rollback(ctx))
		requireCode(t, domain.CodeNotFound, <-told)
		comments, err := s.Feedback.Comments(ctx, ben, answer)
		require.NoError(t, err)
		require.Empty(t, comments)
	})
	t.Run("GoneWithItsConversation", func(t *testing.T) {
		t.Parallel()
		o, _, answer := setup(t)
		f, err := s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{Message: answer, Labels: []int64{2}})
		require.NoError(t, err)
		o.must(domain.Write{Delete: true})
		_, err = s.Feedback.Feedback(ctx, cleo, f.ID)
		requireCode(t, domain.CodeNotFound, err)
	})
}

func TestStore_Feedbacks(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	raw := persistencetest.Connect(t, url, "parley_engine")
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	anna, ben, cleo := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben),
		persistencetest.Caller(t, s, persistencetest.Cleo)
	doris := persistencetest.Caller(t, s, persistencetest.Doris)
	var given []int64
	for i := range 12 {
		o := own(t, s, j, persistencetest.Ben)
		turn, prompt := o.prompt("How many?")
		answer := o.open(turn, prompt)
		require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
		o.grant(persistencetest.Cleo, domain.PermissionRead)
		var comments []string
		if i == 1 {
			// This feedback is on a summary, and its comment gives the reason.
			comments = []string{"The sum is off"}
			_, err := raw.Exec(ctx, "UPDATE message SET role = 'summary' WHERE id = $1", answer)
			require.NoError(t, err)
		}
		f, err := s.Feedback.GiveFeedback(ctx, cleo, domain.NewFeedback{
			Message: answer, Labels: []int64{int64(1 + 10*(i%3))},
			Comments: comments,
		})
		require.NoError(t, err)
		given = append([]int64{f.ID}, given...)
	}
	for _, who := range []domain.Caller{anna, ben, cleo} {
		first, counts, err := s.Feedback.Feedbacks(ctx, who, domain.FeedbackFilter{Page: domain.Page{Number: 1}})
		require.NoError(t, err)
		require.Equal(t, 12, first.Count)
		require.Len(t, first.Results, 10)
		require.Equal(t, []domain.SentimentCount{
			{ID: 1, Name: "Like", Count: 4},
			{ID: 2, Name: "Dislike", Count: 4},
			{ID: 3, Name: "Question", Count: 4},
		}, counts)
		second, _, err := s.Feedback.Feedbacks(ctx, who, domain.FeedbackFilter{Page: domain.Page{Number: 2}})
		require.NoError(t, err)
		var ids []int64
		for _, f := range append(first.Results, second.Results...) {
			ids = append(ids, f.ID)
		}
		require.Equal(t, given, ids)
	}
	for name, c := range map[string]struct {
		filter domain.FeedbackFilter
		want   int
		counts [3]int
	}{
		"a sentiment":         {domain.FeedbackFilter{Sentiment: 2}, 4, [3]int{4, 4, 4}},
		"a label":             {domain.FeedbackFilter{Label: 11}, 4, [3]int{0, 4, 0}},
		"words of a comment":  {domain.FeedbackFilter{Search: "SUM is"}, 1, [3]int{0, 1, 0}},
		"no pattern":          {domain.FeedbackFilter{Search: "sum%off"}, 0, [3]int{}},
		"a name":              {domain.FeedbackFilter{Search: "cleo"}, 12, [3]int{4, 4, 4}},
		"name of none":        {domain.FeedbackFilter{Search: "Ben"}, 0, [3]int{}},
		"summaries":           {domain.FeedbackFilter{Executive: true}, 1, [3]int{0, 1, 0}},
		"summaries by a like": {domain.FeedbackFilter{Executive: true, Sentiment: 1}, 0, [3]int{0, 1, 0}},
	} {
		for _, who := range []domain.Caller{anna, ben, cleo} {
			list, counts, err := s.Feedback.Feedbacks(ctx, who, c.filter)
			require.NoError(t, err)
			require.Equal(t, c.want, list.Count, name)
			require.Len(t, list.Results, min(c.want, 10), name)
			for i, number := range c.counts {
				require.Equal(t, number, counts[i].Count, name)
			}
		}
	}
	none, _, err := s.Feedback.Feedbacks(ctx, doris, domain.FeedbackFilter{})
	require.NoError(t, err)
	require.Zero(t, none.Count)
	require.Empty(t, none.Results)
}
