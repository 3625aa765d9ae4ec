import { codes as t } from '@/messages/codes';
import { problem } from '@/messages/problem';
import { uuidv7 } from '../lib/uuid';
import { ApiError, recordError, type FieldProblem } from './errors';
import type { ApiPath } from './path';

/** The prefix of every path of the API. */
const apiBase = '/api/v1';

/** A value that a query may hold; `undefined` is left out. */
type QueryField = string | number | boolean | undefined;

export interface RequestOptions {
  query?: Readonly<Record<string, QueryField>>;
  /** Sent as JSON, or as it is when it is form data. */
  body?: unknown;
  signal?: AbortSignal;
  /**
   * Makes a repeated creation return the first result; the retry carries the same key. If it is left out, each call
   * gets its own key: set it if a person may send the same thing again.
   */
  idempotencyKey?: string;
  headers?: Readonly<Record<string, string>>;
  /** The caller shows the failure itself, so the error list stays silent. */
  quiet?: boolean;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Session {
  bearer: string | null;
  /** Called when the server refuses a bearer. Resolves to whether a newer one has replaced it. */
  onRefused: (bearer: string) => Promise<boolean>;
}

const session: Session = { bearer: null, onRefused: () => Promise.resolve(false) };

/** Sets the bearer of every later call. */
export function setBearer(bearer: string | null): void {
  session.bearer = bearer;
}

export function getBearer(): string | null {
  return session.bearer;
}

/** Sets the handler that is called when a bearer is refused; it may provide a newer one. */
export function setRefusedHandler(handler: Session['onRefused']): void {
  session.onRefused = handler;
}

/** The address of a path with its query. */
export function apiUrl(path: ApiPath, query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value));
  }
  const text = search.toString();
  return `${apiBase}/${path}${text === '' ? '' : `?${text}`}`;
}

const retryDelay = 300;
const longestRetryAfter = 5_000;

/** Waits before the retry, as long as a busy server asks for, within reason. */
function pauseBeforeRetry(response: Response | null): Promise<void> {
  const asked = Number(response?.headers.get('Retry-After')) * 1000;
  const pause = asked > 0 ? Math.min(asked, longestRetryAfter) : retryDelay;
  return new Promise((resolve) => {
    setTimeout(resolve, pause);
  });
}

function init(method: Method, options: RequestOptions): RequestInit {
  const headers = new Headers(options.headers);
  if (session.bearer !== null) headers.set('Authorization', `Bearer ${session.bearer}`);
  if (options.idempotencyKey !== undefined) headers.set('Idempotency-Key', options.idempotencyKey);
  let body: BodyInit | null = null;
  if (options.body instanceof FormData) {
    body = options.body;
  } else if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    body = JSON.stringify(options.body);
  }
  return { method, headers, body, ...(options.signal && { signal: options.signal }) };
}

interface Problem {
  title?: unknown;
  detail?: unknown;
  code?: unknown;
  errors?: unknown;
}

function isField(value: unknown): value is FieldProblem {
  return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}

/** Reads a problem document (RFC 9457); any other body is reported by its status only. */
async function problemOf(response: Response): Promise<ApiError> {
  let sent: Problem = {};
  try {
    const value: unknown = await response.json();
    if (typeof value === 'object' && value !== null) sent = value;
  } catch {
    // The error page of a proxy is not JSON; only the status is known.
  }
  const text = [sent.detail, sent.title].find((part) => typeof part === 'string' && part !== '');
  const code = typeof sent.code === 'string' ? sent.code : '';
  const fields = Array.isArray(sent.errors) ? sent.errors.filter(isField) : [];
  const unexpected = response.status === 401 || response.status === 403;
  const fallback = unexpected ? t('unexpected') : t('answered', { status: String(response.status) });
  return new ApiError(response.status, code, typeof text === 'string' ? text : fallback, fields);
}

/**
 * How long an answer may take to begin. The server itself limits a call to 30 s; an answer that takes longer will
 * not arrive, for example because the machine hangs. Uploads are limited by the server, which sees whether they
 * make progress.
 */
const answerTime = 40_000;
/** How long the rest of an answer may take once it has begun. */
const bodyTime = 60_000;

/** One try. A network failure and a missing answer are returned as `null`, an abort is thrown. */
async function attempt(url: string, request: RequestInit): Promise<Response | null> {
  const given = request.signal;
  const silence = new AbortController();
  const timer = request.body instanceof FormData ? undefined : setTimeout(() => silence.abort(), answerTime);
  try {
    const signal = given ? AbortSignal.any([given, silence.signal]) : silence.signal;
    return await fetch(url, { ...request, signal });
  } catch (error) {
    if (given?.aborted) throw error;
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads an answer to its end. One that breaks off or does not end in time counts as no answer. */
async function textOf(response: Response): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unreachable()), bodyTime);
  });
  try {
    return await Promise.race([response.text(), tooLong]);
  } catch {
    throw unreachable();
  } finally {
    clearTimeout(timer);
  }
}

function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', problem('unreachable'));
}

/**
 * Sends a call and returns the raw response. A call that fails is tried once more before the failure counts; if the
 * bearer was refused, with the newer one of a renewal. A call that creates or changes something carries a key, so
 * that the second try has no second effect.
 */
export async function send(method: Method, path: ApiPath, given: RequestOptions = {}): Promise<Response> {
  const options: RequestOptions = method === 'GET' ? given : { idempotencyKey: uuidv7(), ...given };
  const url = apiUrl(path, options.query);
  let bearer = session.bearer;
  let response = await attempt(url, init(method, options));
  if (response?.status !== 401 && !response?.ok) {
    await pauseBeforeRetry(response);
    bearer = session.bearer;
    response = await attempt(url, init(method, options));
  }
  // Even if the call has been retried before: it has not been tried with the newer bearer yet.
  if (response?.status === 401 && bearer !== null && (await session.onRefused(bearer))) {
    bearer = session.bearer;
    response = await attempt(url, init(method, options));
    if (response?.status === 401 && bearer !== null) await session.onRefused(bearer);
  }
  if (response?.ok) return response;

  const error = response ? await problemOf(response) : unreachable();
  if (error.status !== 401 && options.quiet !== true) recordError(url, error.status, error.message);
  throw error;
}

/** Sends a call and returns its JSON; `undefined` for an empty answer. */
export async function call<T>(method: Method, path: ApiPath, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  const text = await textOf(response);
  // The contract's types are generated from the server's own; they are not checked again here.
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/**
 * Sends the last call of a session, with the bearer that is about to be forgotten, and does not wait for an answer:
 * the session ends in this browser even if the call fails. The call is completed even if the page is closed.
 */
export function sendLast(method: Method, path: ApiPath): void {
  void attempt(apiUrl(path), { ...init(method, {}), keepalive: true });
}
