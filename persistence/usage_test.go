package persistence_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// call commits one metered model call of a turn of the conversation.
func (o *owned) call(credits float64) {
	o.t.Helper()
	turn, _ := o.prompt("Again")
	o.must(domain.Write{
		Usage: []domain.Usage{
			{
				TurnID: turn, Step: 1, Attempt: 1, ConversationID: o.Conversation, UserID: o.caller.UserID, Provider: "p", Model: "m",
				InputTokens: 10, OutputTokens: 2, Credits: credits / 2,
			},
			{
				TurnID: turn, Step: 2, Attempt: 1, ConversationID: o.Conversation, UserID: o.caller.UserID, Provider: "p", Model: "m",
				InputTokens: 10, OutputTokens: 2, Credits: credits / 2,
			},
		},
		Events:  []domain.Event{event(domain.EventStreamingComplete)},
		TurnEnd: &domain.TurnEnd{Turn: turn, Status: domain.TurnComplete},
	})
}

func TestStore_UsageReport(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	anna, ben, cleo := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben),
		persistencetest.Caller(t, s, persistencetest.Cleo)
	doris := persistencetest.Caller(t, s, persistencetest.Doris)
	raw := persistencetest.Connect(t, url, "")

	// Ben: 3 in a project, 5 in a conversation that is deleted, Anna: 2 shared with
	// Ben, Cleo: 7 for herself, Doris of another organisation: 100.
	var label int64
	require.NoError(t, raw.QueryRow(ctx, `INSERT INTO project_label (org_id, owner_id, name, description, color) VALUES ($1, $2, 'Shop', `+
		`'d', '#112233') RETURNING id`,
		ben.OrganisationID, ben.UserID).Scan(&label))
	project, gone, shared, private, foreign := own(t, s, j, persistencetest.Ben), own(t, s, j, persistencetest.Ben),
		own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Cleo), own(t, s, j, persistencetest.Doris)
	project.must(domain.Write{Update: &domain.ConversationUpdate{ProjectLabels: &[]int64{label}}})
	project.call(1)
	project.call(2)
	gone.call(5)
	gone.must(domain.Write{Delete: true})
	shared.call(2)
	shared.grant(persistencetest.Ben, domain.PermissionRead)
	private.call(7)
	foreign.call(100)

	today := time.Now().UTC().Truncate(24 * time.Hour) //nolint:forbidigo // the day of the database's own clock
	ask := func(t *testing.T, c domain.Caller, level domain.UsageLevel, group domain.UsageGroup) *domain.UsageReport {
		t.Helper()
		r, err := s.Usage.UsageReport(ctx, c, domain.UsageQuery{
			Level: level, Group: group, First: today.AddDate(0, 0, -9),
			Last: today.AddDate(0, 0, 1),
		})
		require.NoError(t, err)
		return r
	}
	groups := []domain.UsageGroup{
		domain.UsageByDate, domain.UsageByWeek, domain.UsageByUser, domain.UsageByConversation,
		domain.UsageByProjectLabel,
	}

	t.Run("SameTotalWhateverTheGroup", func(t *testing.T) {
		t.Parallel()
		for _, c := range []domain.Caller{anna, ben, cleo, doris} {
			for _, level := range []domain.UsageLevel{
				domain.UsageOfOrganisation, domain.UsageOfUser, domain.UsageOfConversations,
				domain.UsageOfProjectLabels,
			} {
				want := map[domain.Caller]float64{anna: 2, ben: 8, cleo: 7, doris: 100}[c]
				if !level.OnlyMine() {
					want = 17
					if c == doris {
						want = 100
					}
				}
				for _, group := range groups {
					r := ask(t, c, level, group)
					var sum, percent float64
					for _, row := range r.Rows.Results {
						sum += row.Credits
						percent += row.Percentage
					}
					require.InDelta(t, want, sum, 1e-9, "%s %s %s", c.FullName, level, group)
					require.InDelta(t, want, r.Total, 1e-9)
					require.InDelta(t, 100, percent, 1e-6)
				}
			}
		}
	})
	t.Run("ByConversation", func(t *testing.T) {
		t.Parallel()
		r := ask(t, ben, domain.UsageOfOrganisation, domain.UsageByConversation)
		by := map[uuid.UUID]domain.UsageRow{}
		for _, row := range r.Rows.Results {
			by[row.ConversationID] = row
		}
		require.Len(t, by, 4)
		require.True(t, by[gone.Conversation].IsDeleted)
		require.Equal(t, "Talk", by[gone.Conversation].Name)
		require.InDelta(t, 2, by[shared.Conversation].Credits, 1e-9)
		require.InDelta(t, 7, by[uuid.Nil].Credits, 1e-9, "Cleo's private conversation shows no name")
		require.Empty(t, by[uuid.Nil].Name)
		require.InDelta(t, 100*7.0/17, by[uuid.Nil].OverOrganisation, 1e-9)
	})
	t.Run("WithoutDeleted", func(t *testing.T) {
		t.Parallel()
		// Ben's 5 were used in a conversation that he has deleted: without them every
		// grouping adds up to the rest, for him and for the organisation.
		for _, level := range []domain.UsageLevel{
			domain.UsageOfOrganisation, domain.UsageOfUser, domain.UsageOfConversations,
			domain.UsageOfProjectLabels,
		} {
			for _, group := range groups {
				r, err := s.Usage.UsageReport(ctx, ben, domain.UsageQuery{
					Level: level, Group: group, First: today.AddDate(0, 0, -9), Last: today.AddDate(0, 0, 1), WithoutDeleted: true,
				})
				require.NoError(t, err)
				want := 12.0
				if level.OnlyMine() {
					want = 3
				}
				var sum float64
				for _, row := range r.Rows.Results {
					require.False(t, row.IsDeleted)
					require.NotEqual(t, gone.Conversation, row.ConversationID)
					sum += row.Credits
				}
				require.InDelta(t, want, sum, 1e-9, "%s %s", level, group)
				require.InDelta(t, want, r.Total, 1e-9)
				require.InDelta(t, 12, r.Organisation, 1e-9)
			}
		}
	})
	t.Run("ByProjectLabel", func(t *testing.T) {
		t.Parallel()
		r := ask(t, ben, domain.UsageOfUser, domain.UsageByProjectLabel)
		require.Equal(t, []int64{0, label}, []int64{r.Rows.Results[0].ProjectLabelID, r.Rows.Results[1].ProjectLabelID})
		require.Equal(t, "Shop", r.Rows.Results[1].Name)
		require.Equal(t, "#112233", r.Rows.Results[1].Color)
	})
	t.Run("DaysWithoutUsageStandToo", func(t *testing.T) {
		t.Parallel()
		r := ask(t, ben, domain.UsageOfOrganisation, domain.UsageByDate)
		require.Equal(t, 11, r.Rows.Count)
		require.Equal(t, today.AddDate(0, 0, -9), r.Rows.Results[0].Day)
		require.Zero(t, r.Rows.Results[0].Credits)
		for _, week := range ask(t, ben, domain.UsageOfOrganisation, domain.UsageByWeek).Rows.Results {
			require.Equal(t, time.Monday, week.Day.Weekday())
		}
	})
	t.Run("Pages", func(t *testing.T) {
		t.Parallel()
		r, err := s.Usage.UsageReport(ctx, ben, domain.UsageQuery{
			Level: domain.UsageOfOrganisation, Group: domain.UsageByConversation, First: today.AddDate(0, 0, -1), Last: today,
			Page: domain.Page{Number: 2, Size: 3},
		})
		require.NoError(t, err)
		require.Equal(t, 4, r.Rows.Count)
		require.Len(t, r.Rows.Results, 1)
	})
	t.Run("NothingUsed", func(t *testing.T) {
		t.Parallel()
		r, err := s.Usage.UsageReport(ctx, ben, domain.UsageQuery{
			Level: domain.UsageOfOrganisation, Group: domain.UsageByDate, First: today.AddDate(-1, 0, 0), Last: today.AddDate(-1, 0, 0),
		})
		require.NoError(t, err)
		require.Zero(t, r.Total)
		require.False(t, math.IsNaN(r.Rows.Results[0].Percentage))
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		t.Parallel()
		_, err := s.Usage.UsageReport(ctx, ben, domain.UsageQuery{Group: "name; DROP TABLE usage", First: today, Last: today})
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("CreditsInfo", func(t *testing.T) {
		t.Parallel()
		info, err := s.Usage.CreditsInfo(ctx, ben, today.AddDate(0, 0, -1), today)
		require.NoError(t, err)
		require.InDelta(t, 17, info.Used, 1e-9)
		require.Nil(t, info.Limit)
		_, err = persistencetest.Connect(t, url, "").Exec(ctx, "UPDATE organisation SET credit_limit = 1000 WHERE id = $1", doris.OrganisationID)
		require.NoError(t, err)
		info, err = s.Usage.CreditsInfo(ctx, doris, today.AddDate(0, 0, -1), today)
		require.NoError(t, err)
		require.InDelta(t, 1000, *info.Limit, 1e-9)
	})
	t.Run("RolledUpAsCalled", func(t *testing.T) {
		t.Parallel()
		var calls, rolled int64
		own := persistencetest.Connect(t, url, "")
		var credits, days float64
		require.NoError(t, own.QueryRow(ctx, "SELECT count(*), sum(credits)::float8 FROM usage").Scan(&calls, &credits))
		require.NoError(t, own.QueryRow(ctx, "SELECT sum(calls)::bigint, sum(credits)::float8 FROM usage_day").Scan(&rolled, &days))
		require.Equal(t, calls, rolled)
		require.InDelta(t, credits, days, 1e-9)
	})
}

func TestStore_CreditsLeft(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	ben, doris := persistencetest.Caller(t, s, persistencetest.Ben), persistencetest.Caller(t, s, persistencetest.Doris)
	raw := persistencetest.Connect(t, url, "")
	left := func(c domain.Caller) *float64 {
		t.Helper()
		l, err := s.Usage.CreditsLeft(ctx, c.OrganisationID)
		require.NoError(t, err)
		return l
	}
	require.Nil(t, left(ben), "no limit")
	_, err := raw.Exec(ctx, `UPDATE organisation SET credit_limit = 10 WHERE id = $1`, ben.OrganisationID)
	require.NoError(t, err)
	require.InDelta(t, 10, *left(ben), 1e-9, "nothing was used")
	mine, gone, others := own(t, s, j, persistencetest.Ben), own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Doris)
	mine.call(3)
	gone.call(4)
	gone.must(domain.Write{Delete: true})
	others.call(100)
	require.InDelta(t, 3, *left(ben), 1e-9, "usage of the whole organisation, and of deleted conversations")
	require.Nil(t, left(doris))
	mine.call(5)
	require.InDelta(t, -2, *left(ben), 1e-9)
	_, err = raw.Exec(ctx, `UPDATE usage_day SET day = (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 day')::date WHERE `+
		`org_id = $1`, ben.OrganisationID)
	require.NoError(t, err)
	require.InDelta(t, 10, *left(ben), 1e-9, "a new month begins at its first day")
}
