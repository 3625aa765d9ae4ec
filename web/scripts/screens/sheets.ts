import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser } from 'playwright-core';

/** The layout of a sheet: its columns and rows, and the width of each picture in pixels. */
interface Layout {
  columns: number;
  rows: number;
  width: number;
}

function layoutOf(width: number): Layout {
  return width < 500 ? { columns: 6, rows: 1, width: 330 } : { columns: 2, rows: 2, width: 960 };
}

/** Puts the pictures of a view on sheets, so that many can be viewed at once. */
export async function makeSheets(
  browser: Browser,
  folder: string,
  view: string,
  width: number,
  names: readonly string[],
): Promise<void> {
  const layout = layoutOf(width);
  const target = path.join(folder, 'sheets');
  await mkdir(target, { recursive: true });
  const each = layout.columns * layout.rows;
  const page = await browser.newPage({
    viewport: { width: layout.columns * (layout.width + 8), height: 800 },
  });
  const taken = names.filter((name) => existsSync(path.join(folder, view, `${name}.png`)));
  for (let at = 0; at < taken.length; at += each) {
    const figures = taken.slice(at, at + each).map((name) => {
      const source = pathToFileURL(path.join(folder, view, `${name}.png`)).href;
      return `<figure><figcaption>${name}</figcaption><img src="${source}" width="${String(layout.width)}"></figure>`;
    });
    const file = path.join(target, `${view}-${String(at / each + 1).padStart(2, '0')}`);
    await writeFile(
      `${file}.html`,
      `<style>body{margin:0;display:flex;flex-wrap:wrap;gap:4px;background:#888;font:bold 14px sans-serif}
       figure{margin:2px}img{display:block}</style>${figures.join('')}`,
    );
    await page.goto(pathToFileURL(`${file}.html`).href);
    await page.screenshot({ path: `${file}.png`, fullPage: true });
  }
  await page.close();
}
