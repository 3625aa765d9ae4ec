import { drawnId, fields, isFields, list, matching, number, word, type Keep } from './allow';
import { safeAddress, safePageName } from './safe-address';

const release = matching(/^[\w.+@-]{1,80}$/u);
const version = matching(/^\d[\w.-]{0,30}$/u);

/** The names of attributes whose texts are from the library's vocabulary. */
const wordsOfSpans: ReadonlySet<string> = new Set([
  'sentry.op',
  'sentry.origin',
  'sentry.source',
  'sentry.idle_span_finish_reason',
  'http.method',
  'http.request.method',
  'type',
]);

/** The allowed data of a span: numbers, and words of the library. */
const spanData: Keep = (value) =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) => {
          const kept = wordsOfSpans.has(name) ? word(one) : number(one);
          return kept === undefined || word(name) === undefined ? [] : [[name, kept]];
        }),
      )
    : undefined;

const spanFields: Record<string, Keep> = {
  trace_id: drawnId,
  span_id: drawnId,
  parent_span_id: drawnId,
  op: word,
  origin: word,
  status: word,
  start_timestamp: number,
  timestamp: number,
  exclusive_time: number,
  data: spanData,
};

/**
 * For a call `GET` and its pattern, for a file its name; nothing for others, which may contain the text of a
 * clicked element.
 */
function describe(op: unknown, description: unknown): unknown {
  if (typeof op !== 'string' || typeof description !== 'string') return undefined;
  const [method = '', ...address] = description.split(' ');
  if (op === 'http.client')
    return `${/^[A-Z]{3,7}$/u.test(method) ? method : ''} ${String(safeAddress(address.join(' ')))}`;
  return op.startsWith('resource.') ? safeAddress(description) : undefined;
}

const keepSpan = fields(spanFields);
const span: Keep = (value) => {
  if (!isFields(value)) return undefined;
  return { ...(keepSpan(value) as object), description: describe(value['op'], value['description']) };
};

/** The name of a class of errors. The name of an error can be any text. */
const errorName: Keep = (name) =>
  matching(/^[A-Z]\w{0,40}(?:Error|Exception|Rejection)$|^Error$/u)(name) ?? 'Error';

/**
 * A position in our own files. The stack may contain the message, which may look like a stack line: parts that are
 * also in the message are left out.
 */
function frame(value: unknown, message: string): unknown {
  if (!isFields(value)) return undefined;
  const { filename, function: name } = value;
  const address = safeAddress(filename);
  if (typeof address !== 'string' || !address.includes('/assets/') || message.includes(String(filename)))
    return undefined;
  const isCode = typeof name === 'string' && /^[\w$.<> ]{1,80}$/u.test(name) && !message.includes(name);
  return {
    filename: address,
    function: isCode ? name : '?',
    lineno: number(value['lineno']),
    colno: number(value['colno']),
    in_app: true,
  };
}

const mechanism = fields({
  type: word,
  handled: number,
  synthetic: number,
  exception_id: number,
  parent_id: number,
  source: word,
});

/** The only part of a message that may be sent: React's error number. */
const reactError = /^Minified React error #\d+/u;

/** An error as its type and position. Its message may contain text that a person typed or a server answered. */
const exception: Keep = (value) => {
  if (!isFields(value)) return undefined;
  const { value: said, stacktrace } = value;
  const message = typeof said === 'string' ? said : '';
  const frames = isFields(stacktrace) ? list((one) => frame(one, message))(stacktrace['frames']) : undefined;
  return {
    type: errorName(value['type']),
    value: reactError.exec(message)?.[0] ?? '',
    mechanism: mechanism(value['mechanism']),
    ...(frames !== undefined && { stacktrace: { frames } }),
  };
};

const breadcrumb = fields({
  type: word,
  category: word,
  level: word,
  timestamp: number,
  data: fields({ method: word, status_code: number, url: safeAddress, from: safeAddress, to: safeAddress }),
});

const measurement = fields({ value: number, unit: word });
const measurements: Keep = (value) =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => word(name) !== undefined)
          .map(([name, one]) => [name, measurement(one)]),
      )
    : undefined;

/** An error, the trace of a page, or the metadata of a piece of a replay. */
export const safeEvent: Keep = fields({
  event_id: drawnId,
  type: word,
  timestamp: number,
  start_timestamp: number,
  platform: word,
  level: word,
  environment: word,
  release,
  sdk: fields({ name: word, version, settings: fields({ infer_ip: () => 'never' }) }),
  transaction: safePageName,
  transaction_info: fields({ source: () => 'route' }),
  request: fields({ url: safeAddress }),
  exception: fields({ values: list(exception) }),
  breadcrumbs: list(breadcrumb),
  contexts: fields({ trace: fields(spanFields), replay: fields({ replay_id: drawnId }) }),
  tags: fields({ replayId: drawnId }),
  spans: list(span),
  measurements,
  replay_id: drawnId,
  replay_type: word,
  replay_start_timestamp: number,
  segment_id: number,
  error_ids: list(drawnId),
  trace_ids: list(drawnId),
  segment_names: list(safePageName),
  urls: list(safeAddress),
});

/** The header of an envelope. */
export const safeHeader: Keep = fields({
  event_id: drawnId,
  sent_at: matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
  sdk: fields({ name: word, version }),
  trace: fields({
    trace_id: drawnId,
    replay_id: drawnId,
    public_key: matching(/^\w+$/u),
    sample_rate: matching(/^[\d.e-]+$/u),
    sample_rand: matching(/^[\d.e-]+$/u),
    sampled: word,
    release,
    environment: word,
    transaction: safePageName,
  }),
});
