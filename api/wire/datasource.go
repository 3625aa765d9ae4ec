package wire

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// DataSource is a connector, as the caller sees it.
type DataSource struct {
	ID              int64               `json:"id" doc:"Its id."`
	Name            string              `json:"name" doc:"What people call it."`
	Description     string              `json:"description" doc:"What people should know of it."`
	Type            []string            `json:"type" nullable:"false" doc:"The first one is the main type."`
	Scope           string              `json:"scope" enum:"organization,user,conversation" doc:"Who may use it: the organization, the user who owns it, or those of one conversation."`
	ConversationID  *uuid.UUID          `json:"conversationId" format:"uuid" nullable:"true" doc:"The conversation that it belongs to; null for other scopes."`
	Owner           protocol.Person     `json:"owner" doc:"Whose it is; null where it belongs to the product."`
	OwnerID         int64               `json:"ownerId" doc:"The owner's user id; null for a connector of the product's own."`
	Permission      string              `json:"permission" enum:"read,write,owner" doc:"The caller's."`
	Params          map[string]string   `json:"params,omitempty" doc:"Where a database that lives elsewhere is, for who may change the connector; left out for others, and for files."`
	HasFile         bool                `json:"hasFile" doc:"Whether it has a file."`
	FileName        string              `json:"fileName" doc:"The name of its file; empty for none."`
	Size            int64               `json:"size" doc:"Bytes of the uploaded file."`
	IsFavorite      bool                `json:"isFavorite" doc:"Whether it is one of the caller's favourites."`
	IsArchived      bool                `json:"isArchived" doc:"Whether it is archived."`
	IsDeletable     bool                `json:"isDeletable" doc:"Whether its owner may delete it."`
	CanSync         bool                `json:"canSync" doc:"Whether there is something to read again."`
	ProjectLabels   []ProjectLabelRef   `json:"projectLabels" nullable:"false" doc:"The projects that it belongs to."`
	Preview         string              `json:"preview" doc:"The first rows of the first table as CSV; empty in lists without include_nested_objects."`
	Notice          string              `json:"notice" doc:"What to know before asking it, such as that this server has no converter for its file, or which tables of a database are not listed; empty for nothing."`
	DataResourceSet []DataResource      `json:"dataResourceSet" nullable:"false" doc:"In lists without include_nested_objects the tables come without columns, details and previews."`
	Permissions     []PermissionEntry   `json:"permissions" nullable:"false" doc:"Who may use it, the owner first. Only where a single data source was asked for."`
	Abilities       DataSourceAbilities `json:"abilities" doc:"What the caller may do."`
	Version         int                 `json:"version" doc:"Rises with each change; name it with a change, and a stale one is 409."`
	LastUsedAt      *protocol.Time      `json:"lastUsedAt" doc:"When a conversation of the caller last used it; null for not within their last thousand conversations."`
	CreatedAt       protocol.Time       `json:"createdAt"`
	UpdatedAt       protocol.Time       `json:"updatedAt"`
}

// DataSourceAbilities says what the caller may do.
type DataSourceAbilities struct {
	Edit         bool `json:"edit" doc:"Name, description, projects and data dictionary."`
	Delete       bool `json:"delete" doc:"May delete it."`
	ManageAccess bool `json:"manageAccess" doc:"May change who has access."`
	Archive      bool `json:"archive" doc:"May archive and restore it."`
	Download     bool `json:"download" doc:"May download its file."`
	Favorite     bool `json:"favorite" doc:"May mark it as a favourite."`
	ReplaceFile  bool `json:"replaceFile" doc:"May replace its file."`
	Sync         bool `json:"sync" doc:"May have it read again."`
}

// DataResource is one table of a data source.
type DataResource struct {
	ID          int64    `json:"id" doc:"Its id."`
	Name        string   `json:"name" doc:"What people call it."`
	Description string   `json:"description" doc:"What people should know of it."`
	Details     string   `json:"details" doc:"The data dictionary."`
	Preview     string   `json:"preview" doc:"The first rows as CSV."`
	Rows        int64    `json:"rows" doc:"The number of rows."`
	Columns     []Column `json:"columns" nullable:"false" doc:"Its columns, in their order."`
}

// Column of a table.
type Column struct {
	Name        string `json:"name" doc:"What people call it."`
	Type        string `json:"type" enum:"text,integer,number,boolean,date,timestamp" doc:"The type of its values."`
	Description string `json:"description" doc:"What people should know of it."`
	// Values are left out in lists, and if nothing is known about them.
	Values *ColumnValues `json:"values,omitempty" doc:"Its values; only if a single data source was asked for."`
}

// ColumnValues is what is known about the values of a column.
type ColumnValues struct {
	Empty    int64    `json:"empty" doc:"Rows without a value."`
	Distinct int64    `json:"distinct" doc:"How many different values there are; 0 where they were not counted."`
	Min      string   `json:"min" doc:"The least value of numbers and times; empty for none."`
	Max      string   `json:"max" doc:"The greatest value of numbers and times; empty for none."`
	Examples []string `json:"examples" nullable:"false" doc:"The most frequent values of a text, at most five, each cut to 80 characters."`
}

// These limit what a column shows of its values.
const (
	columnExamples    = 5
	exampleCharacters = 80
)

// newColumn converts a column with what is known about its values.
func newColumn(c *domain.Column) Column {
	column := Column{Name: c.Name, Type: string(c.Type), Description: c.Description}
	if c.Distinct == 0 && c.Nulls == 0 && c.Min == "" && len(c.Values) == 0 {
		return column
	}
	examples := make([]string, 0, columnExamples)
	for _, value := range c.Values[:min(columnExamples, len(c.Values))] {
		examples = append(examples, domain.Shorten(value, exampleCharacters))
	}
	column.Values = &ColumnValues{Empty: c.Nulls, Distinct: c.Distinct, Min: c.Min, Max: c.Max, Examples: examples}
	return column
}

// WithPermissions adds the people who may use it.
func (d *DataSource) WithPermissions(grants []domain.Grant) {
	for i := range grants {
		d.Permissions = append(d.Permissions, NewPermissionEntry(&grants[i]))
	}
}

// NewDataSource converts data sources for a caller; names are the names of their projects.
func NewDataSource(caller domain.Caller, names ProjectLabelNames) func(*domain.DataSource) DataSource {
	return func(d *domain.DataSource) DataSource {
		out := newDataSource(caller, d)
		out.ProjectLabels = names.Of(d.ProjectLabels)
		return out
	}
}

func newDataSource(caller domain.Caller, d *domain.DataSource) DataSource {
	may := func(action domain.Action) bool { return action.May(caller, d.Relation(caller)) }
	out := DataSource{
		ID:              d.ID,
		Name:            d.Name,
		Description:     d.Description,
		Type:            []string{string(d.Type)},
		Scope:           string(d.Scope),
		ConversationID:  optional(d.ConversationID),
		Owner:           NewPerson(&d.Owner),
		OwnerID:         d.Owner.ID,
		Permission:      string(d.Permission),
		HasFile:         d.HasFile,
		FileName:        d.FileName,
		Size:            d.Size,
		IsFavorite:      d.IsFavorite,
		IsArchived:      d.IsArchived,
		IsDeletable:     may(domain.DeleteDataSource),
		CanSync:         d.CanSync(),
		Notice:          d.Notice(),
		ProjectLabels:   []ProjectLabelRef{},
		DataResourceSet: newDataResources(d.Resources),
		Permissions:     []PermissionEntry{},
		Abilities: DataSourceAbilities{
			Edit: may(domain.ChangeDataSource), Delete: may(domain.DeleteDataSource), ManageAccess: may(domain.ShareDataSource),
			Archive:  may(domain.ArchiveDataSource) && d.CanArchive() == nil,
			Download: may(domain.UseDataSource) && d.CanDownload() == nil, Favorite: may(domain.UseDataSource),
			ReplaceFile: may(domain.ReplaceFile) && !d.IsWarehouse(), Sync: may(domain.ChangeDataSource) && d.CanSync(),
		},
		Version:   d.Version,
		CreatedAt: protocol.Time(d.CreatedAt),
		UpdatedAt: protocol.Time(d.UpdatedAt),
	}
	if may(domain.ChangeDataSource) {
		out.Params = d.Params
	}
	if len(d.Resources) > 0 {
		out.Preview = d.Resources[0].Preview
	}
	if !d.LastUsedAt.IsZero() {
		at := protocol.Time(d.LastUsedAt)
		out.LastUsedAt = &at
	}
	return out
}

// DataSourceChanges are the fields that change. The other fields of the entity are accepted
// and have no effect, except another scope, which is refused.
type DataSourceChanges struct {
	_             struct{}  `additionalProperties:"true"`
	Name          *string   `json:"name,omitempty" doc:"1 to {characters} characters."`
	Description   *string   `json:"description,omitempty" doc:"1 to {characters} characters."`
	ProjectLabels *LabelIDs `json:"projectLabels,omitempty" maxItems:"100" doc:"Ids of projects."`
	Scope         *string   `json:"scope,omitempty" enum:"organization,user,conversation" doc:"May be sent as it is; it cannot be changed."`
	Version       int       `json:"version,omitempty" doc:"The one that the change was made from."`
}

// TransformSchema implements huma.SchemaTransformer.
func (DataSourceChanges) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.DataSourceUpdate).Limits())
}

// Update converts the changes.
func (c *DataSourceChanges) Update() domain.DataSourceUpdate {
	u := domain.DataSourceUpdate{
		Name: trimmed(c.Name), Description: trimmed(c.Description), ProjectLabels: c.ProjectLabels.ids(),
		Version: c.Version,
	}
	if c.Scope != nil {
		scope := domain.DataSourceScope(*c.Scope)
		u.Scope = &scope
	}
	return u
}

func trimmed(s *string) *string {
	if s == nil {
		return nil
	}
	out := strings.TrimSpace(*s)
	return &out
}

// Archiving archives an object, or restores it. Without a body it archives.
type Archiving struct {
	_          struct{} `additionalProperties:"true"`
	IsArchived *bool    `json:"isArchived,omitempty" doc:"false restores it; true, or no value, archives it."`
}

// On reports whether the object must be archived.
func (a *Archiving) On() bool { return a == nil || a.IsArchived == nil || *a.IsArchived }

// Dictionary is the data dictionary of a table.
type Dictionary struct {
	_       struct{} `additionalProperties:"true"`
	Details string   `json:"details" doc:"At most {bytes}; empty takes it away."`
}

// TransformSchema implements huma.SchemaTransformer.
func (Dictionary) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, []domain.Limit{domain.DictionaryLimit("details", "")})
}

// ResourceText is the data dictionary of the table with this id.
type ResourceText struct {
	_    struct{} `additionalProperties:"true"`
	ID   int64    `json:"id" doc:"Of the data resource."`
	Text string   `json:"text" doc:"At most {bytes}; empty takes it away."`
}

// TransformSchema implements huma.SchemaTransformer.
func (ResourceText) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, []domain.Limit{domain.DictionaryLimit("text", "")})
}

// Credential is everything that a call returns of a secret.
type Credential struct {
	ID        uuid.UUID     `json:"id" format:"uuid" doc:"Its id."`
	Name      string        `json:"name" doc:"What people call it."`
	CreatedAt protocol.Time `json:"createdAt"`
}

// NewCredential converts what is known about a secret.
func NewCredential(c *domain.Credential) Credential {
	return Credential{ID: c.ID, Name: c.Name, CreatedAt: protocol.Time(c.CreatedAt)}
}

func newDataResources(resources []domain.DataResource) []DataResource {
	out := make([]DataResource, 0, len(resources))
	for i := range resources {
		r := &resources[i]
		columns := make([]Column, 0, len(r.Columns))
		for j := range r.Columns {
			columns = append(columns, newColumn(&r.Columns[j]))
		}
		out = append(out, DataResource{
			ID: r.ID, Name: r.Name, Description: r.Description, Details: r.Details, Preview: r.Preview, Rows: r.Rows, Columns: columns,
		})
	}
	return out
}

// DataSourceType is a kind of connector that people can add.
type DataSourceType struct {
	ID           string   `json:"id" doc:"The word for it, such as csv."`
	Name         string   `json:"name" doc:"What people call it."`
	IsUploadable bool     `json:"isUploadable" doc:"Whether a file of this kind can be uploaded."`
	Extensions   []string `json:"extensions" nullable:"false" doc:"Endings of file names, with the dot."`
	MediaTypes   []string `json:"mediaTypes" nullable:"false" doc:"Content types of such files."`
	MaxSize      int64    `json:"maxSize" doc:"The most bytes that one file may have."`
	// IsConnectable and Params are for remote databases.
	IsConnectable bool              `json:"isConnectable,omitempty" doc:"Whether this server connects to databases of this kind."`
	Params        []DataSourceParam `json:"params,omitempty" nullable:"false" doc:"What is entered about a connection, in the order of a form; left out for what is none."`
}

// NewDataSourceType describes a kind of files that this server reads.
func NewDataSourceType(t domain.DataSourceType) DataSourceType {
	kind := t.Kind()
	out := NewForeignType(t)
	out.IsUploadable, out.MaxSize = true, domain.UploadMax
	for _, extension := range kind.Extensions {
		out.Extensions = append(out.Extensions, "."+extension)
	}
	out.MediaTypes = append(out.MediaTypes, kind.MediaTypes...)
	return out
}

// NewForeignType describes a kind that is only known by name, and that cannot be added to
// this server by uploading a file.
func NewForeignType(t domain.DataSourceType) DataSourceType {
	return DataSourceType{ID: string(t), Name: t.Label(), Extensions: []string{}, MediaTypes: []string{}}
}

// FileInfo is what was found in an uploaded file.
type FileInfo struct {
	Type            string         `json:"type" doc:"The kind of connector that the file makes."`
	Name            string         `json:"name" doc:"Proposed, from the file's name."`
	Description     string         `json:"description" doc:"Proposed, from the columns."`
	Delimiter       string         `json:"delimiter" doc:"What divides the fields of a CSV file."`
	Encoding        string         `json:"encoding" doc:"The text's encoding."`
	Notice          string         `json:"notice" doc:"What to know before asking it; empty for nothing."`
	DataResourceSet []DataResource `json:"dataResourceSet" nullable:"false" doc:"Its tables."`
}

// NewFileInfo converts what a connector found.
func NewFileInfo(i *domain.FileInfo) FileInfo {
	return FileInfo{
		Type: string(i.Type), Name: i.Name, Description: i.Description, Delimiter: i.Delimiter, Encoding: i.Encoding,
		Notice: i.Notice, DataResourceSet: newDataResources(i.Resources),
	}
}

// OfferedQuestion is a question that a data source can answer.
type OfferedQuestion struct {
	Text         string `json:"text" doc:"The question, as it can be sent."`
	DataSourceID int64  `json:"dataSourceId" doc:"The id of the data source that answers it."`
}

// NewOfferedQuestion converts a question.
func NewOfferedQuestion(q *domain.OfferedQuestion) OfferedQuestion {
	return OfferedQuestion{Text: q.Text, DataSourceID: q.DataSourceID}
}
