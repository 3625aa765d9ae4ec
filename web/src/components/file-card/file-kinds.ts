import {
  ChartColumn,
  File,
  FileCode,
  FileImage,
  FileSpreadsheet,
  type LucideIcon,
  Presentation,
  ScrollText,
} from 'lucide-react';

interface FileKind {
  label: string;
  icon: LucideIcon;
  color: 'green' | 'amber' | 'teal' | 'blue' | 'gray';
}

const unknown: FileKind = { label: 'File', icon: File, color: 'gray' };

const kinds: Readonly<Record<string, FileKind>> = {
  csv: { label: 'CSV table', icon: FileSpreadsheet, color: 'green' },
  xls: { label: 'Excel workbook', icon: FileSpreadsheet, color: 'green' },
  xlsx: { label: 'Excel workbook', icon: FileSpreadsheet, color: 'green' },
  hyper: { label: 'Hyper extract', icon: FileSpreadsheet, color: 'green' },
  ppt: { label: 'Presentation', icon: Presentation, color: 'amber' },
  pptx: { label: 'Presentation', icon: Presentation, color: 'amber' },
  png: { label: 'PNG image', icon: FileImage, color: 'teal' },
  jpg: { label: 'JPEG image', icon: FileImage, color: 'teal' },
  jpeg: { label: 'JPEG image', icon: FileImage, color: 'teal' },
  gif: { label: 'GIF image', icon: FileImage, color: 'teal' },
  python: { label: 'Python code', icon: FileCode, color: 'blue' },
  logs: { label: 'Logs', icon: ScrollText, color: 'gray' },
  highcharts: { label: 'Chart', icon: ChartColumn, color: 'blue' },
};

/** How a kind of file is named and drawn. */
export function fileKind(type: string): FileKind {
  const key = type.toLowerCase();
  return Object.hasOwn(kinds, key) ? (kinds[key] ?? unknown) : unknown;
}
