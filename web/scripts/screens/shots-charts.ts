import type { Page } from 'playwright-core';

import type { World } from './data';
import type { Shot } from './shots';
import { charted, open } from './shots-talking';

/** Opens one of the menus of a chart: of its forms, or of its places. */
async function tool(page: Page, world: World, place: number): Promise<void> {
  await charted(page, world, 'chart');
  await page.locator('[data-chart-tools] button[aria-haspopup="menu"]').nth(place).click();
  await page.locator('[role^="menuitem"]').first().waitFor();
}

/** What a person does with the chart or the table of an answer. */
export const charts: readonly Shot[] = [
  {
    name: 'conversation-chart-mark',
    german: true,
    reach: async (page, world) => {
      await charted(page, world, 'chart');
      await page.locator('.highcharts-series-0 .highcharts-point').nth(1).click({ force: true });
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'conversation-chart-forms', reach: (page, world) => tool(page, world, 0), german: true },
  { name: 'conversation-chart-places', reach: (page, world) => tool(page, world, 1) },
  {
    name: 'conversation-table-filtered',
    reach: async (page, world) => {
      await open(page, world, 'table');
      await page
        .getByRole('button', { name: /^Filter rows/ })
        .first()
        .click();
      await page
        .getByRole('textbox', { name: /^Filter / })
        .first()
        .fill('a');
      await page.getByRole('button', { name: 'Clear filters' }).first().waitFor();
    },
  },
];
