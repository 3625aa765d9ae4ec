package domain

import "slices"

// DataSourceType is a kind of connector.
type DataSourceType string

// The kinds that come as a file. Of the last three .xls is known, so that people can
// be told what to do with it, and not read; the others are read where an
// administrator has installed a converter.
const (
	DataSourceCSV   DataSourceType = "csv"
	DataSourceXLSX  DataSourceType = "xlsx"
	DataSourcePPTX  DataSourceType = "pptx"
	DataSourceXLS   DataSourceType = "xls"
	DataSourcePPT   DataSourceType = "ppt"
	DataSourceHyper DataSourceType = "hyper"
)

// The kinds that live elsewhere.
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

// DataSourceTypes are all kinds that the product knows by name, sorted.
func DataSourceTypes() []DataSourceType {
	return []DataSourceType{
		DataSourceAthena, DataSourceBigQuery, DataSourceCSV, DataSourceDatabricks, DataSourceGCSBucket, DataSourceGoogleSheets, DataSourceGoogleSlides,
		DataSourceHabu, DataSourceHyper, DataSourceLocalSQLite, DataSourceNotebook, DataSourcePostgres, DataSourcePPT, DataSourcePPTX,
		DataSourceRedshift, DataSourceSnowflake, DataSourceTTD, DataSourceXLS, DataSourceXLSX,
	}
}

// Label is what people call the kind.
func (t DataSourceType) Label() string {
	switch t {
	case DataSourceCSV:
		return "CSV"
	case DataSourceXLSX:
		return "Excel"
	case DataSourceXLS:
		return "Excel 97"
	case DataSourcePPTX:
		return "PowerPoint"
	case DataSourcePPT:
		return "PowerPoint 97"
	case DataSourceHyper:
		return "Tableau Hyper"
	case DataSourceAthena:
		return "Athena"
	case DataSourceBigQuery:
		return "BigQuery"
	case DataSourceDatabricks:
		return "Databricks"
	case DataSourceGoogleSheets:
		return "Google Sheets"
	case DataSourceGoogleSlides:
		return "Google Slides"
	case DataSourceGCSBucket:
		return "Google Cloud Storage"
	case DataSourceHabu:
		return "Habu"
	case DataSourceLocalSQLite:
		return "SQLite"
	case DataSourceNotebook:
		return "Notebook"
	case DataSourcePostgres:
		return "PostgreSQL"
	case DataSourceRedshift:
		return "Redshift"
	case DataSourceSnowflake:
		return "Snowflake"
	case DataSourceTTD:
		return "The Trade Desk"
	}
	return string(t)
}

// NoConverter says of a kind of file, which only a program that an administrator
// installs can read, that this server has none.
func NoConverter(t DataSourceType) string {
	return "No converter for " + t.Label() + " files is installed on this server, so the tables of this file cannot be read. " +
		"The file is kept: when an administrator has installed one, refresh the connector."
}

// IsFile tells the kinds that come as an uploaded file.
func (t DataSourceType) IsFile() bool {
	return slices.Contains([]DataSourceType{DataSourceCSV, DataSourceXLSX, DataSourcePPTX, DataSourceXLS, DataSourcePPT, DataSourceHyper}, t)
}

// Keepable tells whether a connector of the kind can be archived, and its file,
// where it has one, be downloaded. The specification names those that cannot.
func (t DataSourceType) Keepable() bool {
	return !slices.Contains([]DataSourceType{DataSourceAthena, DataSourceGoogleSlides, DataSourceHabu, DataSourceNotebook, DataSourcePPTX}, t)
}
