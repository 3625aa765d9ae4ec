package persistence

// Changes of agents. Each runs in one transaction, which locks the agent's row and checks the right
// again under the lock. What only the store can know (names, connectors, projects, memories) is
// checked in the same transaction, and all wrong fields are in one error.

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// CreateAnalyst implements domain.AnalystService. An agent without a name is
// named as the default one, with the next free number.
func (s Analysts) CreateAnalyst(ctx context.Context, caller domain.Caller, u domain.AnalystUpdate) (*domain.Analyst, error) {
	if err := domain.MakeAnalyst.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	if err := u.Validate(); err != nil {
		return nil, err
	}
	id, err := s.createInt64(ctx, caller, kindAnalyst, u.Key, func(tx pgx.Tx) (id int64, err error) {
		a := domain.Analyst{Controller: domain.AnalystController, IsEnabled: true}
		if u.Name == nil {
			// The lock is held until the commit, so that two agents made at once do not get the
			// same number.
			if err := s.q.AnalystNamesLock(ctx, tx, caller.OrganisationID); err != nil {
				return 0, err
			}
			prefix := strings.TrimRight(domain.DefaultAnalystName, "0123456789")
			if a.Name, err = s.q.AnalystFreeName(ctx, tx, &dbsqlc.AnalystFreeNameParams{Prefix: prefix, OrgID: caller.OrganisationID}); err != nil {
				return 0, err
			}
		}
		// Without a grant there is no row to lock: the creation only checks what it refers to.
		if err := s.changeAnalyst(ctx, tx, caller, &a, &u); err != nil {
			return 0, err
		}
		settings, err := settingsJSON(&a)
		if err != nil {
			return 0, err
		}
		row := dbsqlc.AnalystInsertOf(&a)
		row.OrgID, row.OwnerID, row.Settings, row.At = caller.OrganisationID, caller.UserID, settings, s.now()
		return s.q.AnalystInsert(ctx, tx, row)
	})
	if err != nil {
		return nil, err
	}
	return s.AnalystFor(ctx, caller, id)
}

// UpdateAnalyst implements domain.AnalystService.
func (s Analysts) UpdateAnalyst(ctx context.Context, caller domain.Caller, id int64, u domain.AnalystUpdate) (*domain.Analyst, error) {
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		// The right comes before the rules of the body, so a person without it learns nothing about
		// them.
		a, err := s.lockAnalyst(ctx, tx, caller, id, domain.ChangeAnalyst)
		if err != nil {
			return err
		}
		if err := u.Validate(); err != nil {
			return err
		}
		// 0 means no version, and then the change is made to what is stored.
		if err := fresh(u.Version, int32(a.Version)); err != nil { //nolint:gosec // read from an int32
			return err
		}
		if err := s.changeAnalyst(ctx, tx, caller, a, &u); err != nil {
			return err
		}
		settings, err := settingsJSON(a)
		if err != nil {
			return err
		}
		change := dbsqlc.AnalystUpdateOf(a)
		change.Settings, change.At = settings, s.now()
		return s.q.AnalystUpdate(ctx, tx, change)
	})
	if err != nil {
		return nil, err
	}
	return s.AnalystFor(ctx, caller, id)
}

// DeleteAnalyst implements domain.AnalystService.
func (s Analysts) DeleteAnalyst(ctx context.Context, caller domain.Caller, id int64) error {
	return s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		// Grants and marks are removed with the row, by foreign keys; answers keep the agent's
		// name, which they have stored.
		if _, err := s.lockAnalyst(ctx, tx, caller, id, domain.DeleteAnalyst); err != nil {
			return err
		}
		return s.q.AnalystDelete(ctx, tx, id)
	})
}

// SetAnalystGrants implements domain.AnalystService.
func (s Analysts) SetAnalystGrants(ctx context.Context, caller domain.Caller, id int64, grants []domain.Grant) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		if _, err := s.lockAnalyst(ctx, tx, caller, id, domain.ShareAnalyst); err != nil {
			return err
		}
		// The owner cannot be a grantee. Only the owner may share, so that is the caller.
		if err := s.checkGrantees(ctx, tx, caller.UserID, grants); err != nil {
			return err
		}
		if err := checkPermissions(domain.NounAnalyst, grants, "An agent can be shared for viewing only"); err != nil {
			return err
		}
		return s.grantAnalyst(ctx, tx, caller, id, splitOf(grants))
	})
}

// grantAnalyst inserts and removes grants. Exactly one of the columns for a person and a team has a
// value, so the other one is left out.
func (s Analysts) grantAnalyst(ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, split *splitGrants) error {
	var add []dbsqlc.AnalystGrantAddParams
	for _, user := range split.users {
		add = append(add, dbsqlc.AnalystGrantAddParams{AnalystID: id, OrgID: caller.OrganisationID, UserID: user})
	}
	for _, team := range split.teams {
		add = append(add, dbsqlc.AnalystGrantAddParams{AnalystID: id, OrgID: caller.OrganisationID, TeamID: team})
	}
	for i := range add {
		if err := s.q.AnalystGrantAdd(ctx, tx, &add[i]); err != nil {
			return err
		}
	}
	var remove []dbsqlc.AnalystGrantRemoveParams
	for _, user := range split.removedUsers {
		remove = append(remove, dbsqlc.AnalystGrantRemoveParams{AnalystID: id, UserID: user})
	}
	for _, team := range split.removedTeams {
		remove = append(remove, dbsqlc.AnalystGrantRemoveParams{AnalystID: id, TeamID: team})
	}
	for i := range remove {
		if err := s.q.AnalystGrantRemove(ctx, tx, &remove[i]); err != nil {
			return err
		}
	}
	return nil
}

// SetAnalystFavorite implements domain.AnalystService.
func (s Analysts) SetAnalystFavorite(ctx context.Context, caller domain.Caller, id int64, on bool) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		// Without a lock of the row, for which the messages of the agent's answers would wait.
		if err := s.authorize(ctx, tx, caller, domain.UseAnalyst, domain.Key{Number: id}); err != nil {
			return err
		}
		return s.q.AnalystSetFavorite(ctx, tx, &dbsqlc.AnalystSetFavoriteParams{
			UserID: caller.UserID, AnalystID: id,
			OrgID: caller.OrganisationID, IsFavorite: on,
		})
	})
}

// lockAnalyst locks an agent's row and checks the caller's right to the action.
func (s Analysts) lockAnalyst(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, action domain.Action,
) (*domain.Analyst, error) {
	rank, err := s.q.AnalystLock(ctx, tx, &dbsqlc.AnalystLockParams{UserID: caller.UserID, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, domain.NounAnalyst.Missing()
	}
	if err != nil {
		return nil, err
	}
	// Under the lock the stored labels and connectors count, not those that the caller sees: what
	// the caller does not see is kept.
	row, err := s.q.AnalystGet(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	a, err := analystOf(row)
	if err != nil {
		return nil, err
	}
	a.Permission = permissionOf(rank)
	return a, action.Authorize(caller, a.Relation(caller))
}

// changeAnalyst applies an update to an agent, new or stored, and checks what only the store
// can know. The error names all wrong fields at once.
func (s Analysts) changeAnalyst(ctx context.Context, tx pgx.Tx, caller domain.Caller, a *domain.Analyst, u *domain.AnalystUpdate) error {
	// The state before the change is needed for what an agent may keep.
	before := *a
	if u.Name != nil {
		a.Name = strings.TrimSpace(*u.Name)
	}
	// A field that was not given is nil and stays.
	set(&a.Description, u.Description)
	set(&a.Controller, u.Controller)
	if strings.TrimSpace(a.Controller) == "" {
		a.Controller = domain.AnalystController
	}
	set(&a.Picture, u.Picture)
	set(&a.IsEnabled, u.IsEnabled)
	set(&a.Instructions, u.Instructions)
	if u.General != nil {
		a.GeneralDisabled = !*u.General
	}
	u.Knowledge.Apply(&a.Knowledge)
	u.ChartReview.Apply(&a.ChartReview)
	u.Insights.Apply(&a.Insights)
	u.Summary.Apply(&a.Summary)
	var c domain.Checks
	changeModel(a, u, &c)
	// The default agent answers where no other is named, so it must always be usable.
	c.Require(a.IsEnabled || !a.IsDefault, "isEnabled", "The default agent cannot be switched off")
	c.Require(!a.GeneralDisabled || !a.IsDefault, "general.enabled", "The general settings of the default agent cannot be switched off")
	// The table has a unique index as well; this check makes the error of a field of it.
	taken, err := s.q.AnalystNameTaken(ctx, tx, &dbsqlc.AnalystNameTakenParams{OrgID: caller.OrganisationID, Name: a.Name, ID: a.ID})
	if err != nil {
		return err
	}
	c.Require(!taken, "name", "There is an agent with this name already")
	if err := s.changeConnectors(ctx, tx, caller, a, u, &c); err != nil {
		return err
	}
	if err := s.changeLabels(ctx, tx, a, u, &c); err != nil {
		return err
	}
	if err := s.checkSections(ctx, tx, &before, a, u, &c); err != nil {
		return err
	}
	return c.Err()
}

// changeModel sets a model that this node has, by default its usual one. An agent may keep
// the model that it has.
func changeModel(a *domain.Analyst, u *domain.AnalystUpdate, c *domain.Checks) {
	had := domain.AgentModel{Provider: a.Provider, Model: a.Model}
	wanted := had
	// Another provider drops the model, which belongs to the old one.
	if u.Provider != nil && *u.Provider != had.Provider {
		wanted = domain.AgentModel{Provider: *u.Provider}
	}
	set(&wanted.Model, u.Model)
	// The form sends back what the agent has, even if it is not configured any more.
	if wanted == had && had.Provider != "" {
		return
	}
	fits := func(m domain.AgentModel) bool {
		return (wanted.Provider == "" || m.Provider == wanted.Provider) && (wanted.Model == "" || m.Model == wanted.Model)
	}
	if i := slices.IndexFunc(u.Available, fits); i >= 0 {
		a.Provider, a.Model = u.Available[i].Provider, u.Available[i].Model
		return
	}
	// Which of the two fields is wrong depends on whether the provider exists.
	known := slices.ContainsFunc(u.Available, func(m domain.AgentModel) bool { return m.Provider == wanted.Provider })
	c.Require(known, "provider", "Please select a provider that is available")
	c.Require(!known, "model", "Please select a model that is available")
}

// changeConnectors sets the connectors that the caller may use, and keeps those of the agent
// that the caller does not see.
func (s Analysts) changeConnectors(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, a *domain.Analyst, u *domain.AnalystUpdate, c *domain.Checks,
) error {
	if u.Connectors == nil {
		// Never nil, as below.
		a.Connectors = append([]int64{}, a.Connectors...)
		return nil
	}
	wanted := slices.Compact(slices.Sorted(slices.Values(*u.Connectors)))
	usable, err := s.q.DataSourceReadable(ctx, tx, &dbsqlc.DataSourceReadableParams{
		UserID: caller.UserID,
		Ids:    slices.Concat(wanted, a.Connectors),
	})
	if err != nil {
		return err
	}
	seen := make(map[int64]bool, len(usable))
	for _, d := range usable {
		seen[d.DataSourceShown.ID] = true
	}
	unseen := slices.DeleteFunc(slices.Clone(a.Connectors), func(id int64) bool { return seen[id] })
	for _, id := range wanted {
		// An unseen connector that the form sends back is not an error, since the agent has it.
		c.Require(seen[id] || slices.Contains(unseen, id), "connectors", "One of the connectors is not available.")
	}
	// Never nil: that would be NULL, which the column refuses.
	a.Connectors = slices.Compact(append([]int64{}, slices.Sorted(slices.Values(slices.Concat(wanted, unseen)))...))
	return nil
}

// changeLabels sets the projects. One that was deleted is an error only if the form names it.
func (s Analysts) changeLabels(ctx context.Context, tx pgx.Tx, a *domain.Analyst, u *domain.AnalystUpdate, c *domain.Checks) error {
	if u.ProjectLabels == nil {
		a.ProjectLabels = append([]int64{}, a.ProjectLabels...)
		return nil
	}
	a.ProjectLabels = slices.Compact(append([]int64{}, slices.Sorted(slices.Values(*u.ProjectLabels))...))
	// The error of the whole list is added to the other wrong fields.
	err := s.projectLabels().knownLabels(ctx, tx, a.ProjectLabels)
	if domain.CodeOf(err) == domain.CodeInvalid {
		c.Require(false, "projectLabels", "One of the projects is not available.")
		return nil
	}
	return err
}

// checkSections refuses memories and labels that the organisation does not have.
// One that an agent had, and that was deleted since, is dropped: a form that was
// not touched sends it back.
func (s Analysts) checkSections(
	ctx context.Context, tx pgx.Tx, before, after *domain.Analyst, u *domain.AnalystUpdate, c *domain.Checks,
) error {
	// These three have memories; the summary has none.
	sections := []struct {
		field  string
		had    *domain.AnalystSection
		has    *domain.AnalystSection
		update *domain.AnalystSectionUpdate
	}{
		{"knowledgeBase", &before.Knowledge, &after.Knowledge, &u.Knowledge},
		{"chartReview", &before.ChartReview, &after.ChartReview, &u.ChartReview},
		{"insights", &before.Insights, &after.Insights, &u.Insights},
	}
	var memories, labels []int64
	for _, x := range sections {
		memories, labels = append(memories, x.has.Memories...), append(labels, x.has.MemoryLabels...)
	}
	if len(memories)+len(labels) == 0 {
		return nil
	}
	known, err := s.q.AnalystKnownMemories(ctx, tx, &dbsqlc.AnalystKnownMemoriesParams{Memories: memories, Labels: labels})
	if err != nil {
		return err
	}
	for _, x := range sections {
		x.has.Memories = keepKnown(c, x.field+".memories", "One of the memories is not available.", x.has.Memories, x.had.Memories,
			known.Memories)
		x.has.MemoryLabels = keepKnown(c, x.field+".memoryLabels", "One of the labels is not available.", x.has.MemoryLabels,
			x.had.MemoryLabels, known.Labels)
	}
	return nil
}

// keepKnown drops the ids that do not exist. One that the agent did not have is an error. known is
// sorted.
func keepKnown(c *domain.Checks, field, message string, ids, had, known []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
		_, there := slices.BinarySearch(known, id)
		c.Require(there || slices.Contains(had, id), field, message)
		return !there
	})
}
