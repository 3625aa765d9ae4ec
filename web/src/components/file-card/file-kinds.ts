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
import { blocks as t } from '@/messages/blocks';

interface Look {
  label: 'csv' | 'excel' | 'hyper' | 'slides' | 'image' | 'python' | 'logs' | 'chart' | 'file';
  icon: LucideIcon;
  color: 'green' | 'amber' | 'teal' | 'blue' | 'gray';
}

const unknown: Look = { label: 'file', icon: File, color: 'gray' };
const sheet = { icon: FileSpreadsheet, color: 'green' } as const;
const slides: Look = { label: 'slides', icon: Presentation, color: 'amber' };
const image: Look = { label: 'image', icon: FileImage, color: 'teal' };

const looks: Readonly<Record<string, Look>> = {
  csv: { label: 'csv', ...sheet },
  xls: { label: 'excel', ...sheet },
  xlsx: { label: 'excel', ...sheet },
  hyper: { label: 'hyper', ...sheet },
  ppt: slides,
  pptx: slides,
  png: image,
  jpg: image,
  jpeg: image,
  gif: image,
  python: { label: 'python', icon: FileCode, color: 'blue' },
  logs: { label: 'logs', icon: ScrollText, color: 'gray' },
  highcharts: { label: 'chart', icon: ChartColumn, color: 'blue' },
};

/** The name and the icon of a kind of file. */
export function fileKind(type: string): Omit<Look, 'label'> & { label: string } {
  const key = type.toLowerCase();
  const look = Object.hasOwn(looks, key) ? (looks[key] ?? unknown) : unknown;
  return { ...look, label: t(`kind.${look.label}`, { type: key === 'jpg' ? 'JPEG' : key.toUpperCase() }) };
}
