package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

// TestRoutes_UsageArguments checks all arguments that the service gets from each query of usage.
func TestRoutes_UsageArguments(t *testing.T) {
	t.Parallel()
	const report = v1 + "/discourse/llm-statistics/usage-report?time_period=custom_time&start_date=2026-01-01&endDate=2026-01-31"
	row := func(name, query string, change func(*domain.UsageQuery)) serviceRow {
		q := domain.UsageQuery{
			Level: domain.UsageOfUser, Group: domain.UsageByDate, Page: domain.Page{Number: 1, Size: 1000},
			First: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Last: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
		}
		change(&q)
		return serviceRow{scenario{name, "GET", report + query, "owner", "", 200, nil, nil, "UsageReport"}, "UsageReport", nil, q}
	}
	group := func(level domain.UsageLevel, group domain.UsageGroup) func(*domain.UsageQuery) {
		return func(q *domain.UsageQuery) { q.Level, q.Group = level, group }
	}
	runServiceRows(t, []serviceRow{
		row("of oneself by days", "&level=user", group(domain.UsageOfUser, domain.UsageByDate)),
		row("of oneself by weeks", "&level=user&group_by=week", group(domain.UsageOfUser, domain.UsageByWeek)),
		row("of conversations", "&level=conversation", group(domain.UsageOfConversations, domain.UsageByConversation)),
		row("of oneself by conversations", "&level=user&groupBy=conversationId", group(domain.UsageOfUser, domain.UsageByConversation)),
		row("of projects", "&level=project_label", group(domain.UsageOfProjectLabels, domain.UsageByProjectLabel)),
		row("of the organisation by people", "&level=organization&group_by=user_id&page=2&page_size=7", func(q *domain.UsageQuery) {
			q.Level, q.Group, q.Page = domain.UsageOfOrganisation, domain.UsageByUser, domain.Page{Number: 2, Size: 7}
		}),
		row("without what is deleted", "&level=organization&include_deleted_conversations=false", func(q *domain.UsageQuery) {
			q.Level, q.WithoutDeleted = domain.UsageOfOrganisation, true
		}),
	})
}

// TestRoutes_CreditsArguments: the credits of an organisation are the credits of the month, in
// UTC.
func TestRoutes_CreditsArguments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusOK, b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/llm-statistics/credits-info", "").status)
	now := b.clock.Now().UTC()
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	asked, ok := b.world.Asked("CreditsInfo").(fakes.CreditsPeriod)
	require.True(t, ok)
	require.Equal(t, first, asked.First)
	require.Equal(t, time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC), asked.Last)
}

// TestRoutes_ShareableArguments: the request for the people with whom one may share contains the search and the
// page.
func TestRoutes_ShareableArguments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got := b.call(t, &b.world.Owner, http.MethodGet, v1+"/user/shareable-entities?search=rea&page=2&page_size=3", "")
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Equal(t, fakes.ShareableQuery{Search: "rea", Page: domain.Page{Number: 2, Size: 3}}, b.world.Asked("ShareableEntities"))
}
