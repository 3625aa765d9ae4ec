/**
 * The names of the kinds of connectors: products and formats, the same in every language. They are the labels of
 * domain/datasource_kind.go; internal/archtest checks that they are equal.
 */
const names: Readonly<Record<string, string>> = {
  athena: 'Athena',
  bigquery: 'BigQuery',
  csv: 'CSV',
  databricks: 'Databricks',
  gcs_bucket: 'Google Cloud Storage',
  google_sheets: 'Google Sheets',
  google_slides: 'Google Slides',
  habu: 'Habu',
  hyper: 'Tableau Hyper',
  local_sqlite: 'SQLite',
  notebook: 'Notebook',
  postgres: 'PostgreSQL',
  ppt: 'PowerPoint 97',
  pptx: 'PowerPoint',
  redshift: 'Redshift',
  snowflake: 'Snowflake',
  ttd: 'The Trade Desk',
  xls: 'Excel 97',
  xlsx: 'Excel',
};

/** The name of a connector's kind for people; if there are several kinds, the first is the main one. */
export function connectorTypeName(types: readonly string[]): string {
  const type = types[0] ?? '';
  return names[type] ?? type.toUpperCase();
}
