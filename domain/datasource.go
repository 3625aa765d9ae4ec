package domain

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"
)

// The limits of data sources.
const (
	// DataSourceNameMax and DataSourceDescriptionMax are in characters.
	DataSourceNameMax        = 80
	DataSourceDescriptionMax = 5000
	// UploadMax is the maximum size of one uploaded file in bytes.
	UploadMax = 200 << 20
)

// DataSourceScope says whom a data source belongs to.
type DataSourceScope string

// The scopes.
const (
	ScopeOrganisation DataSourceScope = "organization"
	ScopeUser         DataSourceScope = "user"
	ScopeConversation DataSourceScope = "conversation"
)

// DataSource is a connector: data that an analyst may query. People with write permission
// change its name, description and dictionary and can let it be read again; only the owner
// shares, archives and deletes it and replaces its file. A data source with organisation
// scope is readable by all members.
type DataSource struct {
	ID             int64
	OrganisationID int64
	Name           string
	Description    string
	// DescriptionGenerated is true if the description was generated from the file and not
	// written by a person.
	DescriptionGenerated bool
	Type                 DataSourceType
	Scope                DataSourceScope
	ConversationID       uuid.UUID // for ScopeConversation
	Owner                Person
	Permission           Permission // the caller's
	IsFavorite           bool
	IsArchived           bool
	HasFile              bool
	ProjectLabels        []int64
	// Version rises with each change by a person.
	Version int
	// LastUsedAt is when a conversation of the caller last used it; zero for never,
	// or not within their last thousand conversations.
	LastUsedAt time.Time
	// FileKey is the uploaded file, WorkKey the prepared database that queries read.
	FileKey  string
	WorkKey  string
	FileName string
	// Delimiter is what a person set for the file; empty means that it was detected.
	Delimiter string
	Size      int64 // bytes of the uploaded file
	// Params say where a remote database is; empty for a file. Its secret is used only to
	// sign in to it.
	Params    DataSourceParams
	Resources []DataResource
	// LeftOut says what Resources leave out of a remote database; empty for nothing.
	LeftOut   string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Relation returns what the rights rules need to know. Permission must be the caller's.
func (d *DataSource) Relation(c Caller) Relation {
	return Relation{Found: d.OrganisationID == c.OrganisationID, Permission: d.Permission, Scope: d.Scope}
}

// Notice returns what people must know before they query a data source, or the empty string.
func (d *DataSource) Notice() string {
	if why := d.Unread(); why != "" {
		return why
	}
	return d.LeftOut
}

// Unread says why a data source cannot be queried, such as a file that was stored but could
// not be read; it is empty for a data source that can be queried.
func (d *DataSource) Unread() string {
	if d.Type == DataSourceHyper && d.HasFile && d.WorkKey == "" {
		return NoConverter(d.Type)
	}
	return ""
}

// IsWarehouse reports whether the data source is a remote database.
func (d *DataSource) IsWarehouse() bool { return len(d.Params) > 0 }

// Dialect returns the SQL dialect in which its tables are queried.
func (d *DataSource) Dialect() Dialect {
	if d.IsWarehouse() {
		return d.Type.Kind().Dialect
	}
	return DialectDuckDB
}

// DataResource is one table of a data source.
type DataResource struct {
	ID   int64
	Name string // what people see
	// Table is the name in SQL, unique in its data source. Of a file it is a safe identifier; of a
	// remote database it is the database's own name, which may need quotes, and after a schema
	// and a dot where another schema has a table of this name.
	Table       string
	Description string
	Details     string // the data dictionary
	Columns     []Column
	Rows        int64
	Preview     string // the first rows as CSV text
	// Declared is what a remote database guarantees about the table; the zero value for a file.
	Declared Declared
}

// Declared are the constraints that a remote database enforces on a table. Unlike the statistics of its columns, which were
// true when they were read, they hold for all rows at any time.
type Declared struct {
	// Schema is the schema of the table; empty for a database without schemas.
	Schema string `json:"schema,omitempty"`
	// Keys are sets of columns in which no two rows are equal and nothing is missing; a primary key is the first one.
	Keys [][]string `json:"keys,omitempty"`
	// References are the foreign keys, whose values all exist in the other table.
	References []Reference `json:"references,omitempty"`
}

// Reference is a foreign key to another table of the same data source.
type Reference struct {
	Columns []string `json:"columns"`
	// Table is the other table as in DataResource.Table, and To the columns there, in the order of Columns.
	Table string   `json:"table"`
	To    []string `json:"to"`
}

// DistinctCountedRows is the number of rows up to which the different values of a file's columns are counted. Above it their
// number is an estimate, which proves nothing: it can reach the number of rows although values repeat.
const DistinctCountedRows = 2_000_000

// Column of a table or a result.
type Column struct {
	Name string
	Type ColumnType
	// DatabaseType is the type's name in the database engine, such as DECIMAL(18,3).
	DatabaseType string
	// Statistics for planning; zero in a result. Distinct is an estimate above DistinctCountedRows, and if Estimated is true.
	Distinct int64
	// Estimated says that Distinct and Nulls are estimates of a remote database, which prove nothing.
	Estimated bool
	// Repeats says that some value was found in several rows. It is set for a remote database only, where a part of the rows
	// can prove it.
	Repeats bool

	Nulls    int64
	Min, Max string
	// Values are the most frequent values of a text column, at most 100.
	Values      []string
	Description string
}

// ColumnType is what a column means to an analyst.
type ColumnType string

// The column types.
const (
	ColumnText    ColumnType = "text"
	ColumnInteger ColumnType = "integer"
	ColumnNumber  ColumnType = "number"
	ColumnBoolean ColumnType = "boolean"
	ColumnDate    ColumnType = "date"
	ColumnTime    ColumnType = "timestamp"
)

// ResultSet is the result of a query. A cell is nil, bool, int64, float64 or
// string; dates and timestamps are ISO 8601 strings, decimals float64.
type ResultSet struct {
	Columns []Column
	// Shown says how the columns are shown, in their order; empty if that is not known.
	Shown []ShownColumn `json:"shown,omitempty"`
	Rows  [][]any
	// Truncated is true if the limit of rows or bytes cut the result; the total number of
	// rows is then unknown.
	Truncated bool
	Elapsed   time.Duration
	// Plan is what the engine made of the statement. It is read once, when the result arrives, and stored nowhere.
	Plan QueryPlan `json:"-"`
	// Control is the result of the query that was run together with this one to check it; nil if there was none, and if it could not
	// be run in its time. It is read once, as Plan is.
	Control *ResultSet `json:"-"`
}

// QueryControl says which statement runs together with a query, to check its figures.
type QueryControl struct {
	// SQL is the statement; empty for none.
	SQL string
	// Derived means that it is derived from the plan of the query, if there is no SQL.
	Derived bool
}

// IsZero reports whether nothing runs.
func (c QueryControl) IsZero() bool { return c.SQL == "" && !c.Derived }

// QueryPlan is the bound logical plan of a statement, in which each column is traced to its table.
type QueryPlan struct {
	// JSON is the plan as the engine serializes it; empty if there is none.
	JSON []byte
	// Missing says why there is no plan, in a few words for people. Empty without a JSON means that the statement needs
	// no check: it reads one table and adds nothing up.
	Missing string
	// OneTable says of a statement without a plan that it joins nothing.
	OneTable bool
	// Remote says that a remote database ran the statement, and that the plan was made over empty tables. Nothing runs beside such a
	// statement to check its figures.
	Remote bool
}

// FileInfo describes an uploaded file.
type FileInfo struct {
	Type        DataSourceType
	Delimiter   string
	Encoding    string
	Name        string // proposed, from the file's name
	Description string // proposed, from the columns
	// Resources are its tables. If there are none, the file can be stored but not read here,
	// and Notice says why.
	Resources []DataResource
	Notice    string
}

// NewDataSource is the input for creating a data source.
type NewDataSource struct {
	Name        string
	Description string
	// DescriptionGenerated is true if the description was generated from the file, so that
	// it is replaced with the file.
	DescriptionGenerated bool
	Scope                DataSourceScope
	Type                 DataSourceType
	ConversationID       uuid.UUID // for ScopeConversation
	FileName             string
	Delimiter            string
	FileKey              string
	WorkKey              string
	Size                 int64
	// Connection is for a remote database, which has no file. It was checked by
	// Connection.Check.
	Connection *Connection
	Resources  []DataResource
	LeftOut    string // of a remote database, as its description says
	Key        IdempotencyKey
}

// Limits returns the limits of the fields.
func (n *NewDataSource) Limits() []Limit {
	return connectorLimits(&n.Name, &n.Description)
}

func connectorLimits(name, description *string) []Limit {
	return []Limit{
		valid("name", name, DataSourceNameMax, "Please enter a valid name"),
		valid("description", description, DataSourceDescriptionMax, "Please enter a valid description"),
	}
}

// Validate checks the fields with the specification's texts.
func (n *NewDataSource) Validate() error {
	var c Checks
	c.Within(n.Limits()...)
	return c.Err()
}

// DataSourceFilter narrows the list. Zero means all that the caller may use and that is not archived.
type DataSourceFilter struct {
	// Scopes must all hold: "favorite", "organization", "conversation", "owned", "shared", "recent".
	// An empty list matches all data sources.
	Scopes   []string
	Archived bool
	Search   string
	// Labels narrows to the data sources in any of these projects; empty means all.
	Labels []int64
	// Conditions are over DataSourceFields.
	Conditions Filters
	// Sort is a column of {updated_at, created_at, name}, descending when it starts
	// with "-". Empty: last used first if recent ones are requested, else matches of a
	// search by name first, else last changed first.
	Sort string
	// Nested adds the tables' columns, dictionaries and previews. A list never contains
	// statistics.
	Nested bool
	Page   Page
}

// DataSourceFields are the fields by which the list can be filtered.
func DataSourceFields() FilterFields {
	return FilterFields{
		"name": FilterText, "description": FilterText, "type": FilterText, "scope": FilterText, "fileName": FilterText,
		"ownerId": FilterNumber, "size": FilterNumber, "hasFile": FilterBoolean, "isFavorite": FilterBoolean,
		"projectLabels": FilterIDs, "createdAt": FilterTime, "updatedAt": FilterTime,
	}
}

// DataSourceService stores data sources. Every method returns CodeNotFound if the caller may
// not see the data source, and CodeForbidden if they may see it but not do this.
type DataSourceService interface {
	DataSource(ctx context.Context, caller Caller, id int64) (*DataSource, error)
	DataSources(ctx context.Context, caller Caller, f DataSourceFilter) (List[DataSource], error)
	// CreateDataSource: CodeInvalid for bad fields.
	CreateDataSource(ctx context.Context, caller Caller, n NewDataSource) (*DataSource, error)
	// Readable returns the data sources with these ids that the person may use now. It is
	// called when a tool runs and not when the turn starts.
	Readable(ctx context.Context, organisation, user int64, ids []int64) ([]DataSource, error)
	// OfConversation lists the data sources attached to a conversation that the caller may read.
	OfConversation(ctx context.Context, caller Caller, conversation uuid.UUID) ([]DataSource, error)

	// UpdateDataSource changes what is given. CodeInvalid, CodeConflict for a stale version.
	UpdateDataSource(ctx context.Context, caller Caller, id int64, u DataSourceUpdate) (*DataSource, error)
	// ResyncDataSource replaces the database by one that was prepared again from the same
	// file. CodeConflict if the data source has another file by now.
	ResyncDataSource(ctx context.Context, caller Caller, id int64, f DataSourceFile) (*DataSource, error)
	// DeleteDataSource deletes it for good. Messages that used it stay, and its files are
	// removed when nothing refers to them any more.
	DeleteDataSource(ctx context.Context, caller Caller, id int64) error
	// SetDataSourceArchived archives or brings back, for everybody. CodeInvalid for
	// kinds that cannot be archived.
	SetDataSourceArchived(ctx context.Context, caller Caller, id int64, archived bool) (*DataSource, error)
	// SetDataSourceFavorite is the caller's own mark.
	SetDataSourceFavorite(ctx context.Context, caller Caller, id int64, on bool) error
	// DataSourceGrants lists who may use it, the owner first.
	DataSourceGrants(ctx context.Context, caller Caller, id int64) ([]Grant, error)
	// SetDataSourceGrants applies the entries (PermissionRemove takes one away) and
	// lists who may use it now. CodeInvalid for the owner and for people of other
	// organisations.
	SetDataSourceGrants(ctx context.Context, caller Caller, id int64, grants []Grant) ([]Grant, error)
	// SetDictionary saves the details of one table of a data source; source 0 finds
	// it by the table alone. CodeNotFound for a table of another data source.
	SetDictionary(ctx context.Context, caller Caller, source, resource int64, details string) (*DataSource, error)
}

// OfferedQuestion is a question that a data source can answer.
type OfferedQuestion struct {
	Text         string
	DataSourceID int64
}

// FileStore keeps bytes by key. A key never changes its content.
type FileStore interface {
	// Put reads r to its end and stores it. Beyond max bytes it returns CodeTooLarge and
	// stores nothing.
	Put(ctx context.Context, key, contentType string, r io.Reader, max int64) (size int64, err error)
	// Get opens the bytes from offset on, length bytes or to the end when negative. CodeNotFound.
	Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	Size(ctx context.Context, key string) (int64, error)
	Delete(ctx context.Context, key string) error
	// LocalPath returns the path of a read-only local file with the content. If the store is
	// remote, the file is fetched into a cache.
	LocalPath(ctx context.Context, key string) (string, error)
}

// FileIntake records files that are stored before a row refers to them, so that they are
// removed if the row is never written because the request failed or the node was lost.
type FileIntake interface {
	// Begin records keys before anything is stored under them. The transaction that creates
	// or changes a data source deletes the records of its keys. It refuses with CodeConflict
	// a key that was never recorded, or whose file was removed since. The files that a turn
	// shows are kept without that.
	Begin(ctx context.Context, organisation int64, keys ...string) error
	// End gives up keys in any case: the file of a key that a row refers to stays, any other
	// file is removed some minutes later. So a caller need not know whether a transaction
	// without a response was committed.
	End(ctx context.Context, organisation int64, keys ...string) error
}
