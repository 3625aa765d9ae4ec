import {
  ChartColumn,
  Cloud,
  Database,
  FileSpreadsheet,
  NotebookText,
  Presentation,
  type LucideIcon,
} from 'lucide-react';

interface ConnectorIconProps {
  type: readonly string[];
  size?: number;
}

const icons: Readonly<Record<string, LucideIcon>> = {
  csv: FileSpreadsheet,
  xls: FileSpreadsheet,
  xlsx: FileSpreadsheet,
  google_sheets: FileSpreadsheet,
  ppt: Presentation,
  pptx: Presentation,
  google_slides: Presentation,
  hyper: ChartColumn,
  notebook: NotebookText,
  gcs_bucket: Cloud,
};

/** The picture of a kind of connector; every kind that is not a file type is a database. */
export function ConnectorIcon({ type, size = 18 }: ConnectorIconProps) {
  const Icon = icons[type[0] ?? ''] ?? Database;
  return <Icon size={size} aria-hidden="true" />;
}
