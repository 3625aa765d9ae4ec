import type { PageTexts } from '@/lib/texts';

const files = import.meta.glob<PageTexts>('./de/*.json', { eager: true, import: 'default' });

/** All German texts by page, in one file of the build, so that they need only one request. */
export const german: Readonly<Record<string, PageTexts>> = Object.fromEntries(
  Object.entries(files).map(([path, texts]) => [path.slice('./de/'.length, -'.json'.length), texts]),
);
