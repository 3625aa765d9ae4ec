package domain

const (
	// DataDictionaryMax is the maximum size of the details of one table in bytes.
	DataDictionaryMax = 64 << 10
	// DataSourceLabelsMax is the maximum number of projects of a connector.
	DataSourceLabelsMax = 100
)

// DataSourceUpdate changes the fields that are not nil. People with write permission may
// change texts and labels; only the owner may replace the file.
type DataSourceUpdate struct {
	Name          *string
	Description   *string
	ProjectLabels *[]int64
	// Scope must be the present scope if it is given; any other one is CodeInvalid.
	Scope *DataSourceScope
	// File replaces the present file.
	File *DataSourceFile
	// Version is the version that the caller saw; 0 skips the check.
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
	// Description is generated from the file. It replaces only a generated description.
	Description string
	Resources   []DataResource
	LeftOut     string // of a remote database that was described again
}

// Described returns the description of a data source after the change, and whether it was
// generated from its file. A description that a person sends counts as written by them,
// unless it is the one that they were shown.
func (u *DataSourceUpdate) Described(before string, generated bool) (description string, isGenerated bool) {
	if u.Description != nil && *u.Description != before {
		return *u.Description, false
	}
	if u.File != nil && generated && !Blank(u.File.Description) {
		return u.File.Description, true
	}
	return before, generated
}

// Limits returns the limits of the fields.
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

// DictionaryLimit returns the limit of the details of a table, under the field name that
// the call uses.
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

// CanArchive returns an error if connectors of this kind cannot be archived.
func (d *DataSource) CanArchive() error {
	if !d.Type.Kind().CanArchive {
		return Errorf(CodeInvalid, "Connectors of the type %s cannot be archived", d.Type.Label())
	}
	return nil
}

// CanDownload returns an error if there is no file that may be downloaded.
func (d *DataSource) CanDownload() error {
	switch {
	case !d.HasFile:
		return Errorf(CodeInvalid, "This connector has no file")
	case !d.Type.Kind().CanDownload:
		return Errorf(CodeForbidden, "Files of the type %s cannot be downloaded", d.Type.Label())
	}
	return nil
}

// AcceptsFile returns an error if a data source of this kind cannot get a new file, because
// it has a connection instead.
func (t DataSourceType) AcceptsFile() error {
	if len(t.Kind().Params) > 0 {
		return Invalid("file", "A connector of "+t.Label()+" has no file")
	}
	return nil
}

// CanSync reports whether the data source can be read again: it has a file that can be
// read, or a database that can be described.
func (d *DataSource) CanSync() bool { return d.HasFile && d.Type.IsFile() || d.IsWarehouse() }
