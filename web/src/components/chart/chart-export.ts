import { chartCsv } from './chart-csv';
import type { ChartModel } from './chart-model';
import type { ChartFormat } from './chart-toolbar';

const svgNamespace = 'http://www.w3.org/2000/svg';
const copied = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'opacity',
  'font-size',
  'font-weight',
  'font-family',
  'visibility',
  'stroke-dasharray',
  'text-anchor',
];
const titleRoom = 36;
const noteSize = 12;
const noteLine = 17;
/** The maximum average width of a letter of a note, in px: lines are broken by it, since there is no layout here. */
const noteLetter = 6.6;
const margin = 12;
const pngScale = 2;

/** What is around the drawing in a picture of it. */
export interface ChartWords {
  title: string | null;
  /** What a reader must know about it; the page shows it below the chart. */
  notes: readonly string[];
}

/**
 * The drawing as a separate file: theme variables are replaced by their current colours, and the title and the
 * notes are added. It is made in the browser, so no chart is sent to an export server.
 */
function chartSvg(drawing: SVGSVGElement, { title, notes }: ChartWords): string {
  const { width, height } = sizeOf(drawing);
  const clone = drawing.cloneNode(true) as SVGSVGElement;
  inlineStyles(drawing, clone);
  const room = title === null ? 0 : titleRoom;
  const lines = linesOf(notes.join(' '), Math.floor((width - 2 * margin) / noteLetter));
  const below = lines.length === 0 ? 0 : lines.length * noteLine + margin;
  const root = document.createElementNS(svgNamespace, 'svg');
  root.setAttribute('xmlns', svgNamespace);
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height + room + below));
  root.append(background(drawing, width, height + room + below));
  if (title !== null) root.append(textAt(drawing, title, 24, { size: 15, weight: 600 }));
  clone.setAttribute('y', String(room));
  root.append(clone);
  lines.forEach((line, place) =>
    root.append(
      textAt(drawing, line, room + height + (place + 1) * noteLine, { size: noteSize, weight: 400 }),
    ),
  );
  return new XMLSerializer().serializeToString(root);
}

/** The drawing as a PNG at twice its size. */
async function chartPng(drawing: SVGSVGElement, words: ChartWords): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([chartSvg(drawing, words)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * pngScale;
    canvas.height = image.naturalHeight * pngScale;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob === null) reject(new Error('the drawing is too large for a PNG'));
        else resolve(blob);
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A chart as a file in one of the formats. Pictures are made from the drawing within the frame. */
export async function exportChart(
  format: ChartFormat,
  chart: ChartModel,
  words: ChartWords,
  frame: HTMLElement | null,
): Promise<Blob> {
  // With the byte order mark at the front, spreadsheets read the text as UTF-8.
  if (format === 'csv') return new Blob([`\ufeff${chartCsv(chart)}`], { type: 'text/csv' });
  const drawing = frame?.querySelector<SVGSVGElement>('svg.highcharts-root');
  if (drawing === null || drawing === undefined) throw new Error('nothing is drawn yet');
  return format === 'png'
    ? chartPng(drawing, words)
    : new Blob([chartSvg(drawing, words)], { type: 'image/svg+xml' });
}

/** A file name without characters that file systems refuse. */
export function safeFileName(name: string, extension: string): string {
  const base = name
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, 80);
  return `${base === '' ? 'chart' : base}.${extension}`;
}

function sizeOf(drawing: SVGSVGElement): { width: number; height: number } {
  return { width: Number(drawing.getAttribute('width')), height: Number(drawing.getAttribute('height')) };
}

function inlineStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const property of copied) {
    const value = style.getPropertyValue(property);
    if (value !== '') to.setAttribute(property, value);
  }
  to.removeAttribute('style');
  // Both lists contain the same elements in the same order.
  Array.from(from.children).forEach((child, index) => {
    const twin = to.children[index];
    if (twin !== undefined) inlineStyles(child, twin);
  });
}

function background(drawing: SVGSVGElement, width: number, height: number): SVGElement {
  const rect = document.createElementNS(svgNamespace, 'rect');
  rect.setAttribute('width', String(width));
  rect.setAttribute('height', String(height));
  const frame = drawing.closest('[data-chart-frame]') ?? drawing;
  rect.setAttribute('fill', getComputedStyle(frame).backgroundColor);
  return rect;
}

function textAt(
  drawing: SVGSVGElement,
  words: string,
  y: number,
  { size, weight }: { size: number; weight: number },
): SVGElement {
  const text = document.createElementNS(svgNamespace, 'text');
  const style = getComputedStyle(drawing.closest('[data-chart-frame]') ?? drawing);
  text.setAttribute('x', String(margin));
  text.setAttribute('y', String(y));
  text.setAttribute('font-family', style.fontFamily);
  text.setAttribute('font-size', String(size));
  text.setAttribute('font-weight', String(weight));
  text.setAttribute('fill', style.color);
  text.textContent = words;
  return text;
}

/** Breaks a text at blanks into lines of at most `most` letters. */
function linesOf(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
