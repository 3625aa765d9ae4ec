import { matchRoutes } from 'react-router';
import { patterns } from '@/lib/paths';
import type { Keep } from './allow';

const routes = Object.values(patterns).map((path) => ({ path }));

/** The fixed segments of the API's paths; every other segment is an id. A test compares them with the contract. */
export const apiWords: ReadonlySet<string> = new Set(
  (
    'active-models actors analyst analysts archive blueprints check cluster comments content conversationpermissions conversations ' +
    'copy corrections credits-info data-sources dataresources datasources default details discourse displayobjects facts favorite ' +
    'feedbacks file info initial-message keep-alive llm-statistics logout me meaning memories memory memorylabels ' +
    'memorysources memorytypes messages next-runs nodes organizations presigned-url process-control projectlabels questions ' +
    'read rewind running runs scheduled-tasks scheduledtasks secrets sentiments shareable-entities status steps ' +
    'stop-process-in-redis stream sync time-period timezones type usage-report use-case-categories user user-text'
  ).split(' '),
);

const api = '/api/v1/';

/** The pattern of a page's path: `/conversations/:conversationId`. A path without a page is `/*`. */
export function pageName(path: string): string {
  return matchRoutes(routes, path)?.at(-1)?.route.path ?? '/*';
}

function pathName(path: string): string {
  if (path.startsWith(api)) {
    const parts = path.slice(api.length).split('/');
    return api + parts.map((part) => (apiWords.has(part) ? part : ':id')).join('/');
  }
  // The names of these files are set by the build.
  if (/^\/assets\/[\w.-]+$/u.test(path) || path === '/config.json' || path === '/favicon.svg') return path;
  return pageName(path);
}

function parse(address: string, base: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}

/**
 * An address without ids, query and hash: for our own server its pattern, for others only the fact that it is
 * another server, because even a host name can be text that a person wrote.
 */
export const safeAddress: Keep = (address) => {
  if (typeof address !== 'string' || address === '') return undefined;
  const { origin } = window.location;
  const url = parse(address, origin);
  if (url === null || !/^(?:http|ws)s?:$/u.test(url.protocol)) return 'elsewhere:';
  const isOwn = url.host === window.location.host;
  return isOwn ? origin + pathName(url.pathname) : 'https://elsewhere.invalid/*';
};

/** The name of a page's transaction. The library uses the path that was opened. */
export const safePageName: Keep = (name) =>
  typeof name === 'string' ? (routes.some(({ path }) => path === name) ? name : pageName(name)) : undefined;
