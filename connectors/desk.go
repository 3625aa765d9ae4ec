package connectors

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
	"parley.dev/parley/internal/telemetry"
)

// Workbench queries the tables of files (workbench.Bench).
type Workbench interface {
	Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error)
}

// ControlledWorkbench also runs a control with a query, as analyst.ControlledWorkbench says.
type ControlledWorkbench interface {
	Controlled(ctx context.Context, sources []domain.DataSource, sql string, control domain.QueryControl) (*domain.ResultSet, error)
}

// Planner makes the bound plan of a statement that a remote database runs, over empty tables (workbench.Bench).
type Planner interface {
	Plan(ctx context.Context, source *domain.DataSource, sql string) (domain.QueryPlan, error)
}

// Desk queries data sources of every kind: the tables of files in the workbench, all others
// in their own database. It is the one place that combines a connection and its secret.
type Desk struct {
	files      Workbench
	warehouses map[domain.DataSourceType]Warehouse
	secrets    domain.SecretKeeper
	caps       Caps
}

// NewDesk makes a desk. caps limit the results of warehouses.
func NewDesk(files Workbench, warehouses map[domain.DataSourceType]Warehouse, secrets domain.SecretKeeper, caps Caps) *Desk {
	if files == nil || secrets == nil {
		panic("connectors: a workbench and a keeper of secrets are required")
	}
	return &Desk{files: files, warehouses: warehouses, secrets: secrets, caps: caps}
}

// Takes reports whether this server can query databases of a kind.
func (d *Desk) Takes(kind domain.DataSourceType) bool { return d.warehouses[kind] != nil }

// Check tries a connection that is not stored yet. It returns the errors of
// Warehouse.Check, and CodeInvalid for an unsupported kind.
func (d *Desk) Check(ctx context.Context, caller domain.Caller, kind domain.DataSourceType, c domain.Connection) error {
	w, access, err := d.open(ctx, caller, kind, c)
	if err != nil {
		return err
	}
	return w.Check(ctx, access)
}

// Describe lists the tables of a connection that is not stored yet. It returns the same errors as Check.
func (d *Desk) Describe(
	ctx context.Context, caller domain.Caller, kind domain.DataSourceType, c domain.Connection,
) (*domain.SourceDescription, error) {
	w, access, err := d.open(ctx, caller, kind, c)
	if err != nil {
		return nil, err
	}
	if err := w.Check(ctx, access); err != nil {
		return nil, err
	}
	return w.Describe(ctx, access)
}

// DescribeSource lists the tables that a data source has now.
func (d *Desk) DescribeSource(ctx context.Context, source *domain.DataSource) (*domain.SourceDescription, error) {
	w, access, err := d.of(ctx, source)
	if err != nil {
		return nil, err
	}
	return w.Describe(ctx, access)
}

func (d *Desk) open(ctx context.Context, caller domain.Caller, kind domain.DataSourceType, c domain.Connection) (Warehouse, Access, error) {
	w, err := d.warehouse(kind)
	if err != nil {
		return nil, Access{}, err
	}
	access := Access{Params: c.Params, Secret: c.Secret}
	if c.Secret == "" {
		access.Secret, err = d.secrets.OwnSecret(ctx, caller.OrganisationID, caller.UserID, c.CredentialID)
	}
	return w, access, err
}

func (d *Desk) of(ctx context.Context, source *domain.DataSource) (Warehouse, Access, error) {
	w, err := d.warehouse(source.Type)
	if err != nil {
		return nil, Access{}, err
	}
	secret, err := d.secrets.SourceSecret(ctx, source.OrganisationID, source.ID)
	if domain.CodeOf(err) == domain.CodeNotFound {
		err = domain.Errorf(domain.CodeInvalid, "The secret of this connector was deleted, so it cannot be asked.")
	}
	return w, Access{Params: source.Params, Secret: secret}, err
}

// warehouse returns the implementation of a kind, if this server has one.
func (d *Desk) warehouse(kind domain.DataSourceType) (Warehouse, error) {
	if w := d.warehouses[kind]; w != nil {
		return w, nil
	}
	return nil, domain.Invalid("kind", "This server does not connect to "+kind.Label())
}

// Query implements analyst.Workbench: one SELECT over the tables of the sources, named as in
// analyst.Tables. It is run on the files, or in the one database whose tables it names. It returns
// the errors of Workbench and Warehouse, and CodeInvalid for a statement that names tables of both,
// or of two databases.
func (d *Desk) Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	return d.Controlled(ctx, sources, sql, domain.QueryControl{})
}

// Controlled implements analyst.ControlledWorkbench. A control runs over files only: a remote database belongs to others, and
// pays for each query.
func (d *Desk) Controlled(
	ctx context.Context, sources []domain.DataSource, sql string, control domain.QueryControl,
) (*domain.ResultSet, error) {
	at, err := placeOf(sources, sql)
	if err != nil {
		return nil, err
	}
	// Files are queried together, because they are attached to one engine.
	if at < 0 {
		ctx, span := telemetry.Query(ctx, "duckdb")
		var result *domain.ResultSet
		var err error
		if c, ok := d.files.(ControlledWorkbench); ok && !control.IsZero() {
			result, err = c.Controlled(ctx, filesOf(sources), sql, control)
		} else {
			result, err = d.files.Query(ctx, filesOf(sources), sql)
		}
		queried(span, result, err)
		return result, err
	}
	w, access, err := d.of(ctx, &sources[at])
	if err != nil {
		return nil, err
	}
	ctx, span := telemetry.Query(ctx, systemOf(sources[at].Type))
	result, err := w.Query(ctx, access, unqualified(sql, SourceSchema(sources[at].ID)), d.caps)
	queried(span, result, err)
	if err == nil {
		result.Plan = d.plan(ctx, &sources[at], sql)
	}
	return result, err
}

// plan makes the plan of a statement that a database has run. A query of one table that adds nothing up needs none. Without a
// plan the result is shown, and what it adds up as unchecked.
func (d *Desk) plan(ctx context.Context, source *domain.DataSource, sql string) domain.QueryPlan {
	joins := joinsTables(source, sql)
	if !joins && !addsUp(sql) {
		return domain.QueryPlan{}
	}
	name := "the database " + domain.Shorten(domain.Clean(source.Name), domain.DataSourceNameMax)
	planner, ok := d.files.(Planner)
	if !ok {
		return domain.QueryPlan{Missing: name, OneTable: !joins, Remote: true}
	}
	plan, err := planner.Plan(ctx, source, sql)
	switch {
	case err != nil:
		// The planner logs what an operator must know. A person reads only that the check is missing.
		plan = domain.QueryPlan{Missing: name}
	case plan.Missing != "":
		plan.Missing = name + ": " + plan.Missing
	}
	plan.OneTable, plan.Remote = !joins, true
	return plan
}

// systemOf is the name of a kind of database in traces.
func systemOf(kind domain.DataSourceType) string { return cmp.Or(kind.Kind().System, string(kind)) }

// queried ends the span of a query.
func queried(span telemetry.Span, result *domain.ResultSet, err error) {
	if err != nil {
		span.Queried(0, string(domain.CodeOf(err)))
		return
	}
	span.Queried(len(result.Rows), "")
}

// joinsTables reports whether a query names tables of a source more than once.
func joinsTables(source *domain.DataSource, sql string) bool {
	own := map[string]bool{}
	for _, r := range source.Resources {
		own[strings.ToLower(r.Table)] = true
		own[SourceSchema(source.ID)+"."+strings.ToLower(r.Table)] = true
	}
	n := 0
	for _, name := range tablesNamed(sql) {
		if own[name] {
			n++
		}
	}
	return n > 1
}

// addsUp reports whether a query may add up a column or repeat rows of one table: levels, rates and mixed currencies are
// added up wrong without a join, too, and a list that is unfolded repeats the row that has it.
func addsUp(sql string) bool {
	all := slices.Collect(sqltext.Tokens(sql))
	for i, t := range all {
		called := i+1 < len(all) && all[i+1].Is("(")
		switch {
		case t.Is("lateral"):
			return true
		case called && t.IsName() && isAdder(strings.ToLower(t.Text)):
			return true
		}
	}
	return false
}

// isAdder reports whether a function adds values up, collects them, or makes several rows of one.
func isAdder(name string) bool {
	switch name {
	case "sum", "array_agg", "unnest", "generate_series", "json_array_elements", "jsonb_array_elements", "json_array_elements_text",
		"jsonb_array_elements_text", "json_each", "jsonb_each", "json_each_text", "jsonb_each_text", "json_table", "string_to_table",
		"regexp_split_to_table", "regexp_matches":
		return true
	}
	return false
}

// SourceSchema is the schema that qualifies a table whose name another source has, too.
func SourceSchema(id int64) string { return "s" + strconv.FormatInt(id, 10) }

// filesOf returns the sources that are files.
func filesOf(sources []domain.DataSource) []domain.DataSource {
	out := make([]domain.DataSource, 0, len(sources))
	for i := range sources {
		if !sources[i].IsWarehouse() {
			out = append(out, sources[i])
		}
	}
	return out
}

// placeOf finds the database that a query is for; -1 means the files.
func placeOf(sources []domain.DataSource, sql string) (int, error) {
	// With a single source, or with files only, the query need not be looked at.
	files, first := len(filesOf(sources)), -1
	for i := range sources {
		if sources[i].IsWarehouse() {
			first = i
			break
		}
	}
	switch {
	case first < 0:
		return -1, nil
	case len(sources) == 1:
		return first, nil
	}
	at, found := -1, false
	// A query for two places is refused: nothing could join them.
	for _, i := range namedSources(sources, sql) {
		place := i
		if !sources[i].IsWarehouse() {
			place = -1
		}
		if found && place != at {
			return 0, domain.Errorf(domain.CodeInvalid, "One query asks either files or one database. This one names tables of %s and of another: "+
				"ask them one after the other.", domain.Shorten(domain.Clean(sources[i].Name), domain.DataSourceNameMax))
		}
		at, found = place, true
	}
	// Without files the query cannot be meant for the workbench.
	if !found && files == 0 {
		return 0, domain.Errorf(domain.CodeInvalid, "The query names no table of a data source of this conversation.")
	}
	return at, nil
}

// namedSources are the indexes of the sources whose tables a query names. A name that several
// sources have counts for no source, unless the query qualifies it.
func namedSources(sources []domain.DataSource, sql string) []int {
	owners := map[string][]int{}
	for i := range sources {
		for _, r := range sources[i].Resources {
			name := strings.ToLower(r.Table)
			qualified := SourceSchema(sources[i].ID) + "." + name
			owners[name], owners[qualified] = append(owners[name], i), append(owners[qualified], i)
		}
	}
	var out []int
	for _, name := range tablesNamed(sql) {
		if of := owners[name]; len(of) > 0 && same(of) {
			out = append(out, of[0])
		}
	}
	return out
}

// same reports whether all owners of a name are the same source.
func same(places []int) bool {
	for _, p := range places {
		if p != places[0] {
			return false
		}
	}
	return true
}
