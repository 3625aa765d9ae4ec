import { describe, expect, it } from 'vitest';
import { exportChart } from './chart-export';
import { parseChartConfig } from './parse-chart-config';

const parsed = parseChartConfig({ series: [{ type: 'column', data: [1, 2] }] });
if (!parsed.ok) throw new Error('the configuration is not read');
const { chart } = parsed;

/** The blobs of jsdom have no text() method. */
function textOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      if (typeof reader.result === 'string') resolve(reader.result);
      else reject(new Error('the file is no text'));
    };
    reader.onerror = () => {
      reject(new Error('the file is not read'));
    };
    reader.readAsText(file);
  });
}

async function pictureWith(notes: string[]): Promise<Element> {
  const frame = document.createElement('figure');
  frame.innerHTML = '<svg class="highcharts-root" width="300" height="200"><g></g></svg>';
  const file = await exportChart('svg', chart, { title: 'Use by hour', notes }, frame);
  // Parsed as part of a page: jsdom writes the namespace of the root twice, which browsers do not.
  const page = new DOMParser().parseFromString(await textOf(file), 'text/html');
  const picture = page.querySelector('svg');
  if (picture === null) throw new Error('there is no drawing');
  return picture;
}

describe('a picture of a chart', () => {
  it('says below the drawing what the page says of it', async () => {
    const notes = ['Shown by day; the table has all 6,000 rows.', 'The axis does not begin at zero.'];
    const picture = await pictureWith(notes);
    const texts = [...picture.querySelectorAll('text')].map(({ textContent }) => textContent);
    expect(texts[0]).toBe('Use by hour');
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.slice(1).join(' ')).toBe(notes.join(' '));
    const height = Number(picture.getAttribute('height'));
    for (const text of picture.querySelectorAll('text'))
      expect(Number(text.getAttribute('y'))).toBeLessThan(height);
  });

  it('has no room for notes when there are none', async () => {
    const picture = await pictureWith([]);
    expect(picture.getAttribute('height')).toBe('236');
  });
});
