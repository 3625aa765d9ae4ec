package domain

import "slices"

// DataSourceType names a kind of connector.
type DataSourceType string

// The kinds that are files. Of the last three, .xls is known but not read, so that the
// error text can say what to do with it; the others are read if an administrator has installed a
// converter.
const (
	DataSourceCSV   DataSourceType = "csv"
	DataSourceXLSX  DataSourceType = "xlsx"
	DataSourcePPTX  DataSourceType = "pptx"
	DataSourceXLS   DataSourceType = "xls"
	DataSourcePPT   DataSourceType = "ppt"
	DataSourceHyper DataSourceType = "hyper"
)

// The kinds that are remote.
const (
	DataSourceAthena       DataSourceType = "athena"
	DataSourceBigQuery     DataSourceType = "bigquery"
	DataSourceDatabricks   DataSourceType = "databricks"
	DataSourceGoogleSheets DataSourceType = "google_sheets"
	DataSourceGoogleSlides DataSourceType = "google_slides"
	DataSourceGCSBucket    DataSourceType = "gcs_bucket"
	DataSourceHabu         DataSourceType = "habu"
	DataSourceLocalSQLite  DataSourceType = "local_sqlite"
	DataSourceNotebook     DataSourceType = "notebook"
	DataSourcePostgres     DataSourceType = "postgres"
	DataSourceRedshift     DataSourceType = "redshift"
	DataSourceSnowflake    DataSourceType = "snowflake"
	DataSourceTTD          DataSourceType = "ttd"
)

// Dialect is the SQL dialect in which the tables of a data source are queried.
type Dialect string

// The dialects.
const (
	// DialectDuckDB is the dialect of all files: the workbench loads them into DuckDB.
	DialectDuckDB   Dialect = "duckdb"
	DialectPostgres Dialect = "postgres"
)

// OfFiles reports whether this is the dialect of files; a table without a dialect is of a
// file.
func (d Dialect) OfFiles() bool { return d == "" || d == DialectDuckDB }

// Label returns the name of the dialect for people and models.
func (d Dialect) Label() string {
	switch d {
	case "", DialectDuckDB:
		return "DuckDB"
	case DialectPostgres:
		return "PostgreSQL"
	}
	return string(d)
}

// Hint tells a model what it must know to write the dialect, in one sentence without a period; it
// is empty for the dialect of files, which every rule for models is about.
func (d Dialect) Hint() string {
	switch d {
	case "", DialectDuckDB:
		return ""
	case DialectPostgres:
		return "names as the schema writes them, in double quotes unless they are in lower case; texts in single quotes; GROUP BY names its " +
			"columns; a quotient of whole numbers is a whole number; no QUALIFY, no GROUP BY ALL"
	}
	return ""
}

// DataSourceKind is all that the product knows about a kind of connector. Whether this
// server reads it depends on the readers and warehouses that cmd wires.
type DataSourceKind struct {
	Type DataSourceType
	// Label is what people call the kind.
	Label string
	// IsFile is true for a kind that is an uploaded file.
	IsFile bool
	// Extensions and MediaTypes are of the files that people can choose in a dialog;
	// AlsoExtensions and AlsoMediaTypes are further ones by which such a file is
	// recognised. Extensions have no leading dot.
	Extensions, AlsoExtensions []string
	MediaTypes, AlsoMediaTypes []string
	// CanArchive and CanDownload say whether a connector of the kind can be archived and
	// its file downloaded. The specification names the kinds for which they are false.
	CanArchive, CanDownload bool
	// System is the name of the database system in OpenTelemetry's semantic conventions
	// (db.system.name); empty if it is the same as Type.
	System string
	// Dialect is empty for a kind that the product cannot query yet.
	Dialect Dialect
	// Params are the parameters of a connection, in the order of a form. A kind of files
	// has none: the options of a file are part of its upload.
	Params []DataSourceParam
}

// dataSourceKinds returns the list of all kinds, sorted by type.
func dataSourceKinds() []DataSourceKind {
	elsewhere := func(t DataSourceType, label string) DataSourceKind {
		return DataSourceKind{Type: t, Label: label, CanArchive: true, CanDownload: true}
	}
	fixed := func(t DataSourceType, label string) DataSourceKind { return DataSourceKind{Type: t, Label: label} }
	postgres := elsewhere(DataSourcePostgres, "PostgreSQL")
	postgres.System, postgres.Dialect, postgres.Params = "postgresql", DialectPostgres, postgresParams()
	return []DataSourceKind{
		fixed(DataSourceAthena, "Athena"),
		elsewhere(DataSourceBigQuery, "BigQuery"),
		{
			Type: DataSourceCSV, Label: "CSV", IsFile: true, CanArchive: true, CanDownload: true, Dialect: DialectDuckDB,
			Extensions: []string{"csv", "tsv", "txt"}, AlsoExtensions: []string{"tab"},
			MediaTypes: []string{"text/csv", "text/tab-separated-values", "text/plain"}, AlsoMediaTypes: []string{"application/csv"},
		},
		elsewhere(DataSourceDatabricks, "Databricks"),
		elsewhere(DataSourceGCSBucket, "Google Cloud Storage"),
		elsewhere(DataSourceGoogleSheets, "Google Sheets"),
		fixed(DataSourceGoogleSlides, "Google Slides"),
		fixed(DataSourceHabu, "Habu"),
		{
			Type: DataSourceHyper, Label: "Tableau Hyper", IsFile: true, CanArchive: true, CanDownload: true, Dialect: DialectDuckDB,
			Extensions: []string{"hyper"},
		},
		elsewhere(DataSourceLocalSQLite, "SQLite"),
		fixed(DataSourceNotebook, "Notebook"),
		postgres,
		{
			Type: DataSourcePPT, Label: "PowerPoint 97", IsFile: true, CanArchive: true, CanDownload: true, Dialect: DialectDuckDB,
			Extensions: []string{"ppt"}, MediaTypes: []string{"application/vnd.ms-powerpoint"},
		},
		{
			Type: DataSourcePPTX, Label: "PowerPoint", IsFile: true, Dialect: DialectDuckDB,
			Extensions: []string{"pptx"}, AlsoExtensions: []string{"pptm", "ppsx"},
			MediaTypes: []string{"application/vnd.openxmlformats-officedocument.presentationml.presentation"},
		},
		elsewhere(DataSourceRedshift, "Redshift"),
		elsewhere(DataSourceSnowflake, "Snowflake"),
		elsewhere(DataSourceTTD, "The Trade Desk"),
		{
			Type: DataSourceXLS, Label: "Excel 97", IsFile: true, CanArchive: true, CanDownload: true, Dialect: DialectDuckDB,
			Extensions: []string{"xls"}, MediaTypes: []string{"application/vnd.ms-excel"},
		},
		{
			Type: DataSourceXLSX, Label: "Excel", IsFile: true, CanArchive: true, CanDownload: true, Dialect: DialectDuckDB,
			Extensions: []string{"xlsx"}, AlsoExtensions: []string{"xlsm", "xltx", "xlsb"},
			MediaTypes: []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
		},
	}
}

// DataSourceTypes returns all types that the product knows, sorted.
func DataSourceTypes() []DataSourceType {
	kinds := dataSourceKinds()
	out := make([]DataSourceType, len(kinds))
	for i := range kinds {
		out[i] = kinds[i].Type
	}
	return out
}

// Kind returns what is known about the type. Of an unknown type, such as one of a later
// release, only the name is known, and it cannot be queried.
func (t DataSourceType) Kind() DataSourceKind {
	kinds := dataSourceKinds()
	if i := slices.IndexFunc(kinds, func(k DataSourceKind) bool { return k.Type == t }); i >= 0 {
		return kinds[i]
	}
	return DataSourceKind{Type: t, Label: string(t), CanArchive: true, CanDownload: true}
}

// Label returns the name of the kind for people.
func (t DataSourceType) Label() string { return t.Kind().Label }

// IsFile reports whether the kind is an uploaded file.
func (t DataSourceType) IsFile() bool { return t.Kind().IsFile }

// KindOfExtension finds the kind of files by an extension in lower case without the dot.
func KindOfExtension(extension string) (DataSourceType, bool) {
	return kindOfFile(func(k *DataSourceKind) bool {
		return slices.Contains(k.Extensions, extension) || slices.Contains(k.AlsoExtensions, extension)
	})
}

// KindOfMediaType finds the kind of files by a media type without parameters.
func KindOfMediaType(media string) (DataSourceType, bool) {
	return kindOfFile(func(k *DataSourceKind) bool {
		return slices.Contains(k.MediaTypes, media) || slices.Contains(k.AlsoMediaTypes, media)
	})
}

func kindOfFile(is func(*DataSourceKind) bool) (DataSourceType, bool) {
	kinds := dataSourceKinds()
	for i := range kinds {
		if kinds[i].IsFile && is(&kinds[i]) {
			return kinds[i].Type, true
		}
	}
	return "", false
}

// NoConverter returns the notice that this server has no converter for a kind of file, which
// an administrator would have to install.
func NoConverter(t DataSourceType) string {
	return "No converter for " + t.Label() + " files is installed on this server, so the tables of this file cannot be read. " +
		"The file is kept: when an administrator has installed one, refresh the connector."
}
