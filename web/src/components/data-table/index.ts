export type { Cell } from './cell';
export { DataTable, type DataTableProps } from './data-table';
export { parseTable, type ParsedTable, type TableColumn, type TableData } from './parse-table';
