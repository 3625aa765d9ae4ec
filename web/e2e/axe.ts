import axe, { type Result, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** How strictly axe checks. */
interface Look {
  /** Only these rules; else all of its rules. */
  rules?: readonly string[] | undefined;
  /**
   * Also checks best practices, which no criterion requires. They concern whole pages: with an open menu or list
   * they cannot be checked.
   */
  practice?: boolean | undefined;
}

/** The problems of the current page that axe rates as serious or critical. */
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

/** The part of the page that axe checks, and the rules. */
interface Where {
  /** A selector of the part; else the whole page. */
  within?: string;
  rules?: readonly string[] | undefined;
}

/**
 * All problems that axe finds on the page, which has no frames. The library is injected into each document once:
 * parsing it takes a browser about as long as checking a page by one rule.
 */
export async function violations(page: Page, { within, rules }: Where = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // Passed checks are counted and not described: finding a selector for each element takes longer than all the
  // rules.
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
