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
	ID              int64               `json:"id" doc:"The id."`
	Name            string              `json:"name" doc:"The name."`
	Description     string              `json:"description" doc:"The description."`
	Type            []string            `json:"type" nullable:"false" doc:"The types of the connector. The first one is the main type." example:"csv"`
	Scope           string              `json:"scope" enum:"organization,user,conversation" doc:"Who may use it: the organization, the owner and the people whom it is shared with, or the readers of a conversation."`
	ConversationID  *uuid.UUID          `json:"conversationId" format:"uuid" nullable:"true" doc:"The id of its conversation; null for other scopes."`
	Owner           protocol.Person     `json:"owner" doc:"The owner; null if it belongs to the product."`
	OwnerID         int64               `json:"ownerId" doc:"The user id of the owner; null if it belongs to the product."`
	Permission      string              `json:"permission" enum:"read,write,owner" doc:"The caller's permission."`
	Params          map[string]string   `json:"params,omitempty" doc:"The connection parameters of a remote database. Only for callers who may change the connector."`
	HasFile         bool                `json:"hasFile" doc:"Whether it has a file."`
	FileName        string              `json:"fileName" doc:"The name of its file; empty if it has none."`
	Size            int64               `json:"size" doc:"The size of the uploaded file in bytes."`
	IsFavorite      bool                `json:"isFavorite" doc:"Whether it is a favourite of the caller."`
	IsArchived      bool                `json:"isArchived" doc:"Whether it is archived."`
	IsDeletable     bool                `json:"isDeletable" doc:"Whether the caller may delete it."`
	CanSync         bool                `json:"canSync" doc:"Whether its data can be read again."`
	ProjectLabels   []ProjectLabelRef   `json:"projectLabels" nullable:"false" doc:"The projects that it belongs to."`
	Preview         string              `json:"preview" doc:"The first rows of the first table as CSV. Empty in lists without include_nested_objects."`
	Notice          string              `json:"notice" doc:"A note about its limitations, such as tables of a database that are not listed, or a file that this server cannot convert; empty if there is none." example:"200 of 340 tables are used."`
	DataResourceSet []DataResource      `json:"dataResourceSet" nullable:"false" doc:"The tables. In lists without include_nested_objects they come without columns, data dictionaries and previews."`
	Permissions     []PermissionEntry   `json:"permissions" nullable:"false" doc:"Who has access, the owner first. Only in the response for a single connector."`
	Abilities       DataSourceAbilities `json:"abilities" doc:"What the caller may do with it."`
	Version         int                 `json:"version" doc:"Increases with each change. A change that is based on an older version returns 409."`
	LastUsedAt      *protocol.Time      `json:"lastUsedAt" doc:"When a conversation of the caller last used it; null if none of the caller's last thousand conversations did."`
	CreatedAt       protocol.Time       `json:"createdAt"`
	UpdatedAt       protocol.Time       `json:"updatedAt"`
}

// DataSourceAbilities says what the caller may do.
type DataSourceAbilities struct {
	Edit         bool `json:"edit" doc:"Whether the caller may change name, description, projects and data dictionary."`
	Delete       bool `json:"delete" doc:"Whether the caller may delete it."`
	ManageAccess bool `json:"manageAccess" doc:"Whether the caller may change who has access."`
	Archive      bool `json:"archive" doc:"Whether the caller may archive and restore it."`
	Download     bool `json:"download" doc:"Whether the caller may download its file."`
	Favorite     bool `json:"favorite" doc:"Whether the caller may mark it as a favourite."`
	ReplaceFile  bool `json:"replaceFile" doc:"Whether the caller may replace its file."`
	Sync         bool `json:"sync" doc:"Whether the caller may have its data read again."`
}

// DataResource is one table of a data source.
type DataResource struct {
	ID          int64    `json:"id" doc:"The id."`
	Name        string   `json:"name" doc:"The name."`
	Description string   `json:"description" doc:"The description."`
	Details     string   `json:"details" doc:"The data dictionary." example:"rev = revenue in EUR"`
	Preview     string   `json:"preview" doc:"The first rows as CSV."`
	Rows        int64    `json:"rows" doc:"The number of rows."`
	Columns     []Column `json:"columns" nullable:"false" doc:"The columns in their order."`
}

// Column of a table.
type Column struct {
	Name        string `json:"name" doc:"The name."`
	Type        string `json:"type" enum:"text,integer,number,boolean,date,timestamp" doc:"The type of the values."`
	Description string `json:"description" doc:"The description."`
	// Values are left out in lists, and if nothing is known about them.
	Values *ColumnValues `json:"values,omitempty" doc:"Statistics of the values. Only in the response for a single connector."`
}

// ColumnValues is what is known about the values of a column.
type ColumnValues struct {
	Empty    int64    `json:"empty" doc:"The number of rows without a value."`
	Distinct int64    `json:"distinct" doc:"The number of different values; 0 if they were not counted."`
	Min      string   `json:"min" doc:"The smallest value of a number or a time; empty if there is none."`
	Max      string   `json:"max" doc:"The largest value of a number or a time; empty if there is none."`
	Examples []string `json:"examples" nullable:"false" doc:"The most frequent values of a text, at most {entries}, each shortened to {characters} characters."`
}

// These limit what a column shows of its values.
const (
	columnExamples    = 5
	exampleCharacters = 80
)

// TransformSchema implements huma.SchemaTransformer.
func (ColumnValues) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, []domain.Limit{
		{Field: "examples", Most: columnExamples, Unit: domain.Entries},
		{Field: "examples", Most: exampleCharacters, Unit: domain.Characters},
	})
}

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
	Scope         *string   `json:"scope,omitempty" enum:"organization,user,conversation" doc:"Cannot be changed: only the current value is accepted."`
	Version       int       `json:"version,omitempty" doc:"The version that the change is based on."`
}

// TransformSchema implements huma.SchemaTransformer.
func (DataSourceChanges) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.DataSourceUpdate).Limits())
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
	IsArchived *bool    `json:"isArchived,omitempty" doc:"True (the default) archives, false restores."`
}

// On reports whether the object must be archived.
func (a *Archiving) On() bool { return a == nil || a.IsArchived == nil || *a.IsArchived }

// Dictionary is the data dictionary of a table.
type Dictionary struct {
	_       struct{} `additionalProperties:"true"`
	Details string   `json:"details" doc:"At most {bytes}. An empty text removes the data dictionary." example:"rev = revenue in EUR"`
}

// TransformSchema implements huma.SchemaTransformer.
func (Dictionary) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, []domain.Limit{domain.DictionaryLimit("details", "")})
}

// ResourceText is the data dictionary of the table with this id.
type ResourceText struct {
	_    struct{} `additionalProperties:"true"`
	ID   int64    `json:"id" doc:"The id of the table."`
	Text string   `json:"text" doc:"At most {bytes}. An empty text removes the data dictionary."`
}

// TransformSchema implements huma.SchemaTransformer.
func (ResourceText) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, []domain.Limit{domain.DictionaryLimit("text", "")})
}

// Credential is everything that a call returns of a secret.
type Credential struct {
	ID        uuid.UUID     `json:"id" format:"uuid" doc:"The id."`
	Name      string        `json:"name" doc:"The name."`
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
	ID           string   `json:"id" doc:"The identifier of the type, such as csv."`
	Name         string   `json:"name" doc:"The name."`
	IsUploadable bool     `json:"isUploadable" doc:"Whether a file of this type can be uploaded."`
	Extensions   []string `json:"extensions" nullable:"false" doc:"The file name extensions, with the dot."`
	MediaTypes   []string `json:"mediaTypes" nullable:"false" doc:"The content types of such files."`
	MaxSize      int64    `json:"maxSize" doc:"The maximum size of a file in bytes."`
	// IsConnectable and Params are for remote databases.
	IsConnectable bool              `json:"isConnectable,omitempty" doc:"Whether this server can connect to databases of this type."`
	Params        []DataSourceParam `json:"params,omitempty" nullable:"false" doc:"The parameters of a connection, in the order of a form. Missing for types without a connection."`
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
	Type            string         `json:"type" doc:"The type of the connector that the file would make." example:"csv"`
	Name            string         `json:"name" doc:"A proposal, made from the name of the file."`
	Description     string         `json:"description" doc:"A proposal, made from the columns."`
	Delimiter       string         `json:"delimiter" doc:"The separator of the fields of a CSV file."`
	Encoding        string         `json:"encoding" doc:"The character encoding of the text."`
	Notice          string         `json:"notice" doc:"A note about its limitations; empty if there is none." example:"Only the first sheet is used."`
	DataResourceSet []DataResource `json:"dataResourceSet" nullable:"false" doc:"The tables."`
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
	Text         string `json:"text" doc:"The text of the question, which can be sent as a prompt."`
	DataSourceID int64  `json:"dataSourceId" doc:"The id of the connector that answers it."`
}

// NewOfferedQuestion converts a question.
func NewOfferedQuestion(q *domain.OfferedQuestion) OfferedQuestion {
	return OfferedQuestion{Text: q.Text, DataSourceID: q.DataSourceID}
}
