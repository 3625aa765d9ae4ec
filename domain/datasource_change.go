package domain

const (
	// DataDictionaryMax is the most bytes of the details of one table.
	DataDictionaryMax = 64 << 10
	// DataSourceLabelsMax is the most projects that a connector is in.
	DataSourceLabelsMax = 100
)

// DataSourceUpdate changes what is not nil. Words and labels are for people with
// write, the file for the owner.
type DataSourceUpdate struct {
	Name          *string
	Description   *string
	ProjectLabels *[]int64
	// Scope may be given as it is; another one is CodeInvalid.
	Scope *DataSourceScope
	// File takes the place of the file that is there.
	File *DataSourceFile
	// Version is the one that the caller saw; 0 does not check.
	Version int
}

// DataSourceFile is a file in the store with its prepared database.
type DataSourceFile struct {
	Type      DataSourceType
	FileName  string
	Delimiter string
	FileKey   string
	WorkKey   string
	Size      int64
	// Description is made from the file. It takes the place of one that nobody has written.
	Description string
	Resources   []DataResource
	LeftOut     string // of a remote database that was described again
}

// Described is what is said of a data source after the change, and whether that was made
// from its file. What a person sends is theirs, unless it is what they were shown.
func (u *DataSourceUpdate) Described(before string, generated bool) (description string, isGenerated bool) {
	if u.Description != nil && *u.Description != before {
		return *u.Description, false
	}
	if u.File != nil && generated && !Blank(u.File.Description) {
		return u.File.Description, true
	}
	return before, generated
}

// Limits are those of the fields that are given.
func (u *DataSourceUpdate) Limits() []Limit {
	return append(connectorLimits(u.Name, u.Description),
		entries("projectLabels", count(u.ProjectLabels), DataSourceLabelsMax, "Please select at most {entries} projects"))
}

// Validate checks the fields that are given, with the specification's texts.
func (u *DataSourceUpdate) Validate() error {
	var c Checks
	c.Within(u.Limits()...)
	return c.Err()
}

// DictionaryLimit is the limit of the details of a table, under the name that a call has
// for them.
func DictionaryLimit(field, details string) Limit {
	return sized(field, len(details), DataDictionaryMax, "The data dictionary is too long.")
}

// ValidateDictionary checks the details of a table. They may be empty.
func ValidateDictionary(details string) error {
	var c Checks
	c.Within(DictionaryLimit("details", details))
	c.Require(Storable(details), "details", "The value contains characters that cannot be stored.")
	return c.Err()
}

// CanArchive tells whether connectors of this kind can be archived.
func (d *DataSource) CanArchive() error {
	if !d.Type.Kind().CanArchive {
		return Errorf(CodeInvalid, "Connectors of the type %s cannot be archived", d.Type.Label())
	}
	return nil
}

// CanDownload tells whether there is a file that may be downloaded.
func (d *DataSource) CanDownload() error {
	switch {
	case !d.HasFile:
		return Errorf(CodeInvalid, "This connector has no file")
	case !d.Type.Kind().CanDownload:
		return Errorf(CodeForbidden, "Files of the type %s cannot be downloaded", d.Type.Label())
	}
	return nil
}

// TakesFile tells whether a data source of a kind may get a file in the place of what it
// has: one that is asked where it lives keeps its connection.
func (t DataSourceType) TakesFile() error {
	if len(t.Kind().Params) > 0 {
		return Invalid("file", "A connector of "+t.Label()+" has no file")
	}
	return nil
}

// CanSync tells whether the data source can be read again: it has a file to be read, or a
// database to be described.
func (d *DataSource) CanSync() bool { return d.HasFile && d.Type.IsFile() || d.IsWarehouse() }
