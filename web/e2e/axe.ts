import axe, { type Result, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** How closely axe looks. */
interface Look {
  /** Those alone; else all of its rules. */
  rules?: readonly string[] | undefined;
  /**
   * Also where best practice is not kept, which no criterion asks for. It is about whole pages: behind a menu or a list
   * that is open there is none.
   */
  practice?: boolean | undefined;
}

/** What axe calls serious or critical on the page as it stands. */
export async function serious(
  page: Page,
  name: string,
  { rules, practice = false }: Look = {},
): Promise<string[]> {
  // A transcript is hidden while its list arranges itself, and what is hidden has no names.
  await page.waitForFunction(
    () => document.querySelector('[role="feed"][style*="visibility: hidden"]') === null,
  );
  const found = await violations(page, { rules });
  return found
    .filter(
      ({ impact, tags }) =>
        impact === 'serious' ||
        impact === 'critical' ||
        (practice && impact === 'moderate' && tags.includes('best-practice')),
    )
    .map((v) => `${name}: ${v.id} at ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
}

/** Where axe looks, and by which rules. */
interface Where {
  /** A selector of the part; else the whole page. */
  within?: string;
  rules?: readonly string[] | undefined;
}

/**
 * All that axe finds on the page, which has no frames. The library comes into each document once: to read it takes a
 * browser about as long as to look at a page by one rule.
 */
export async function violations(page: Page, { within, rules }: Where = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // What passes is counted and not described: to find a selector for each element takes longer than all the rules.
  const options: RunOptions = { resultTypes: ['violations'] };
  if (rules !== undefined) options.runOnly = { type: 'rule', values: [...rules] };
  return page.evaluate(
    async ([part, asked]) => {
      const { run } = (window as unknown as { axe: { run: Run } }).axe;
      return (await run(part ?? document, asked)).violations;
    },
    [within, options] as const,
  );
}

type Run = (where: string | Document, options: RunOptions) => Promise<{ violations: Result[] }>;
