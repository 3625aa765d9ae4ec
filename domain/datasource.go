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
	// UploadMax is the most bytes of one uploaded file.
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

// DataSource is a connector: data that an analyst may query. People with write change its
// name, description and dictionary and have it read again; only the owner shares it,
// archives it, deletes it and gives it another file. Organisation scope is readable by all
// members.
type DataSource struct {
	ID             int64
	OrganisationID int64
	Name           string
	Description    string
	// DescriptionGenerated says that the description was made from the file, and not written by a person.
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
	// Delimiter is what a person said of the file; empty means that it was found out.
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

// Standing is how the caller, whose Permission it has, stands to it.
func (d *DataSource) Standing(c Caller) Standing {
	return Standing{Found: d.OrganisationID == c.OrganisationID, Permission: d.Permission, Scope: d.Scope}
}

// Notice is what people must know before they ask a data source; empty for nothing.
func (d *DataSource) Notice() string {
	if why := d.Unread(); why != "" {
		return why
	}
	return d.LeftOut
}

// Unread says why nobody can ask a data source; empty for one that can be asked. A file
// that was stored without being read says so.
func (d *DataSource) Unread() string {
	if d.Type == DataSourceHyper && d.HasFile && d.WorkKey == "" {
		return NoConverter(d.Type)
	}
	return ""
}

// IsWarehouse tells the data sources that are asked where they live.
func (d *DataSource) IsWarehouse() bool { return len(d.Params) > 0 }

// Dialect is the SQL in which its tables are asked.
func (d *DataSource) Dialect() Dialect {
	if d.IsWarehouse() {
		return d.Type.Kind().Dialect
	}
	return DialectDuckDB
}

// DataResource is one table of a data source.
type DataResource struct {
	ID          int64
	Name        string // what people see
	Table       string // what SQL calls it: a safe identifier, unique in its data source
	Description string
	Details     string // the data dictionary
	Columns     []Column
	Rows        int64
	Preview     string // the first rows as CSV text
}

// Column of a table or a result.
type Column struct {
	Name string
	Type ColumnType
	// DatabaseType is the engine's own word for it, such as DECIMAL(18,3).
	DatabaseType string
	// Statistics for planning; zero in a result.
	Distinct int64
	Nulls    int64
	Min, Max string
	// Values are the most frequent ones of a text column, at most 100.
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

// ResultSet is what a query printed. A cell is nil, bool, int64, float64 or
// string; dates and timestamps are ISO 8601 strings, decimals float64.
type ResultSet struct {
	Columns []Column
	// Shown says how people read the columns, in their order; empty where nobody said.
	Shown []ShownColumn `json:"shown,omitempty"`
	Rows  [][]any
	// Truncated says that the caps on rows or bytes cut it; Total is then unknown.
	Truncated bool
	Elapsed   time.Duration
}

// FileInfo is what an uploaded file turned out to be.
type FileInfo struct {
	Type        DataSourceType
	Delimiter   string
	Encoding    string
	Name        string // proposed, from the file's name
	Description string // proposed, from the columns
	// Resources are its tables. None: the file can be kept and not be read here, and
	// Notice says why.
	Resources []DataResource
	Notice    string
}

// NewDataSource is what a caller gives to make one from a file.
type NewDataSource struct {
	Name        string
	Description string
	// DescriptionGenerated says that the description was made from the file, and that
	// another file brings another one.
	DescriptionGenerated bool
	Scope                DataSourceScope
	Type                 DataSourceType
	ConversationID       uuid.UUID // for ScopeConversation
	FileName             string
	Delimiter            string
	FileKey              string
	WorkKey              string
	Size                 int64
	// Connection is for a database that lives elsewhere, which has no file; checked by Connection.Check.
	Connection *Connection
	Resources  []DataResource
	LeftOut    string // of a remote database, as its description says
	Key        IdempotencyKey
}

// Limits are those of the fields of a connector.
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
	// None of them lets everything through.
	Scopes   []string
	Archived bool
	Search   string
	// Labels asks for those of any of these projects; empty for all.
	Labels []int64
	// Conditions are over DataSourceFields.
	Conditions Filters
	// Sort is a column of {updated_at, created_at, name}, descending when it starts
	// with "-". Empty: what was used last where that is asked for, else what a search
	// finds by its name, else what changed last.
	Sort string
	// Nested asks for the tables' columns, dictionaries and previews, too.
	// Statistics never come with a list.
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

// DataSourceService keeps data sources. Every method answers CodeNotFound if the caller may
// not see the data source, and CodeForbidden if they may see it and not do this.
type DataSourceService interface {
	DataSource(ctx context.Context, caller Caller, id int64) (*DataSource, error)
	DataSources(ctx context.Context, caller Caller, f DataSourceFilter) (List[DataSource], error)
	// CreateDataSource: CodeInvalid for bad fields.
	CreateDataSource(ctx context.Context, caller Caller, n NewDataSource) (*DataSource, error)
	// Readable gives those of the ids that the person may use now, read from the
	// store when a tool runs and not when the turn starts.
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
	// Put reads r to its end and stores it; CodeTooLarge beyond max bytes, and then nothing is left behind.
	Put(ctx context.Context, key, contentType string, r io.Reader, max int64) (size int64, err error)
	// Get opens the bytes from offset on, length bytes or to the end when negative. CodeNotFound.
	Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	Size(ctx context.Context, key string) (int64, error)
	Delete(ctx context.Context, key string) error
	// LocalPath gives a read-only file of this machine with the content, fetching it
	// into a cache when the store is remote.
	LocalPath(ctx context.Context, key string) (string, error)
}

// FileIntake keeps account of files that are stored before a row refers to them, so
// that none stays for ever when its row is never written: whether the request failed,
// or the node that stored the file is gone.
type FileIntake interface {
	// Begin notes keys before anything is stored under them. The transaction that makes
	// or changes a data source takes its keys out again, and refuses with CodeConflict
	// one that was never noted, or whose file was removed since. What a turn shows stays
	// without that.
	Begin(ctx context.Context, organisation int64, keys ...string) error
	// End gives keys up, whatever became of them: a key that a row refers to stays, any
	// other is removed some minutes later. So a caller need not know whether a
	// transaction that failed to answer was committed.
	End(ctx context.Context, organisation int64, keys ...string) error
}
