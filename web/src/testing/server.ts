import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';

/** The server of the tests. Each test sets its answers; any other request fails the test. */
export const server = setupServer();

const base = '/api/v1/';

/** A path of the API, for `http.get(api('user/me'), …)`. */
export function api(path: string): string {
  return `*${base}${path}`;
}

/** A problem document, as the API answers failures. */
export function problem(status: number, code: string, detail: string, errors: unknown[] = []): Response {
  return HttpResponse.json(
    { type: 'about:blank', title: 'Problem', status, detail, code, errors },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  );
}

/** One page of a list; for a list whose changes are in the person's log, with the position in the log. */
export function page(results: readonly object[], next: string | null = null, logHead = 0): Response {
  return HttpResponse.json({ results, pagination: { count: results.length, next, previous: null }, logHead });
}

export { http, HttpResponse };
