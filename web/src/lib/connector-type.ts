/** The names of the kinds of connectors. They are names of products and formats, the same in every language. */
const names: Readonly<Record<string, string>> = {
  athena: 'Athena',
  bigquery: 'BigQuery',
  csv: 'CSV',
  databricks: 'Databricks',
  gcs_bucket: 'GCS bucket',
  google_sheets: 'Google Sheets',
  google_slides: 'Google Slides',
  habu: 'Habu',
  hyper: 'Hyper',
  local_sqlite: 'SQLite',
  notebook: 'Notebook',
  postgres: 'PostgreSQL',
  ppt: 'PPT',
  pptx: 'PPTX',
  redshift: 'Redshift',
  snowflake: 'Snowflake',
  ttd: 'The Trade Desk',
  xls: 'XLS',
  xlsx: 'XLSX',
};

/** What people call a connector's kind; of several the first is the main one. */
export function connectorTypeName(types: readonly string[]): string {
  const type = types[0] ?? '';
  return names[type] ?? type.toUpperCase();
}
