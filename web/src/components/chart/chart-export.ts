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
const pngScale = 2;

/**
 * The drawing as a file of its own: theme variables replaced by the colours they stand for at the moment, the
 * title written in. Made in the browser, so no chart ever travels to an exporting server.
 */
function chartSvg(drawing: SVGSVGElement, title: string | null): string {
  const { width, height } = sizeOf(drawing);
  const clone = drawing.cloneNode(true) as SVGSVGElement;
  inlineStyles(drawing, clone);
  const room = title === null ? 0 : titleRoom;
  const root = document.createElementNS(svgNamespace, 'svg');
  root.setAttribute('xmlns', svgNamespace);
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height + room));
  root.append(background(drawing, width, height + room));
  if (title !== null) root.append(titleText(drawing, title));
  clone.setAttribute('y', String(room));
  root.append(clone);
  return new XMLSerializer().serializeToString(root);
}

/** The drawing as a PNG at twice its size. */
async function chartPng(drawing: SVGSVGElement, title: string | null): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([chartSvg(drawing, title)], { type: 'image/svg+xml' }));
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

/** A chart as a file in one of the formats. Pictures are taken of the drawing within the frame. */
export async function exportChart(
  format: ChartFormat,
  chart: ChartModel,
  title: string | null,
  frame: HTMLElement | null,
): Promise<Blob> {
  // The mark at the front is what makes spreadsheets read the text as UTF-8.
  if (format === 'csv') return new Blob([`\ufeff${chartCsv(chart)}`], { type: 'text/csv' });
  const drawing = frame?.querySelector<SVGSVGElement>('svg.highcharts-root');
  if (drawing === null || drawing === undefined) throw new Error('nothing is drawn yet');
  return format === 'png'
    ? chartPng(drawing, title)
    : new Blob([chartSvg(drawing, title)], { type: 'image/svg+xml' });
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
  // Two lists of the same tree walk side by side.
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

function titleText(drawing: SVGSVGElement, title: string): SVGElement {
  const text = document.createElementNS(svgNamespace, 'text');
  const style = getComputedStyle(drawing.closest('[data-chart-frame]') ?? drawing);
  text.setAttribute('x', '12');
  text.setAttribute('y', '24');
  text.setAttribute('font-family', style.fontFamily);
  text.setAttribute('font-size', '15');
  text.setAttribute('font-weight', '600');
  text.setAttribute('fill', style.color);
  text.textContent = title;
  return text;
}
