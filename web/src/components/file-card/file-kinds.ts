import { ChartColumn, File, FileCode, FileImage, FileSpreadsheet, type LucideIcon, Presentation, ScrollText } from 'lucide-react';

interface FileKind {
  label: string;
  icon: LucideIcon;
  color: 'grass' | 'orange' | 'violet' | 'blue' | 'gray';
}

const unknown: FileKind = { label: 'File', icon: File, color: 'gray' };

const kinds: Readonly<Record<string, FileKind>> = {
  csv: { label: 'CSV table', icon: FileSpreadsheet, color: 'grass' },
  xls: { label: 'Excel workbook', icon: FileSpreadsheet, color: 'grass' },
  xlsx: { label: 'Excel workbook', icon: FileSpreadsheet, color: 'grass' },
  hyper: { label: 'Hyper extract', icon: FileSpreadsheet, color: 'grass' },
  ppt: { label: 'Presentation', icon: Presentation, color: 'orange' },
  pptx: { label: 'Presentation', icon: Presentation, color: 'orange' },
  png: { label: 'PNG image', icon: FileImage, color: 'violet' },
  jpg: { label: 'JPEG image', icon: FileImage, color: 'violet' },
  jpeg: { label: 'JPEG image', icon: FileImage, color: 'violet' },
  gif: { label: 'GIF image', icon: FileImage, color: 'violet' },
  python: { label: 'Python code', icon: FileCode, color: 'blue' },
  logs: { label: 'Logs', icon: ScrollText, color: 'gray' },
  highcharts: { label: 'Chart', icon: ChartColumn, color: 'blue' },
};

/** How a kind of file is named and drawn. */
export function fileKind(type: string): FileKind {
  const key = type.toLowerCase();
  return Object.hasOwn(kinds, key) ? (kinds[key] ?? unknown) : unknown;
}
