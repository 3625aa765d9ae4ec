import { fields, isFields, list, masked, number, numbers, word, type Fields, type Keep } from './allow';
import { safeAddress } from './safe-address';
import { css, safeAttributes, safeNode } from './safe-node';

/** The kinds of events in a recording (rrweb's EventType). */
const kinds = { domContentLoaded: 0, load: 1, fullSnapshot: 2, incremental: 3, meta: 4, custom: 5 } as const;

/** The kind of change of an incremental event (rrweb's IncrementalSource). */
const sources = {
  mutation: 0,
  mouseMove: 1,
  mouseInteraction: 2,
  scroll: 3,
  viewportResize: 4,
  input: 5,
  touchMove: 6,
  styleSheetRule: 8,
  drag: 12,
  adoptedStyleSheet: 15,
} as const;

const rules = list(fields({ rule: css, index: numbers }));

const mutation = fields({
  source: number,
  texts: list(fields({ id: number, value: masked })),
  attributes: list(fields({ id: number, attributes: safeAttributes })),
  removes: list(fields({ parentId: number, id: number, isShadow: number })),
  adds: list(fields({ parentId: number, nextId: numbers, previousId: numbers, node: safeNode })),
});

const changes = new Map<unknown, Keep>([
  [sources.mutation, mutation],
  [sources.mouseMove, numbers],
  [sources.mouseInteraction, numbers],
  [sources.scroll, numbers],
  [sources.viewportResize, numbers],
  [sources.touchMove, numbers],
  [sources.drag, numbers],
  [
    sources.input,
    fields({ source: number, id: number, text: masked, isChecked: number, userTriggered: number }),
  ],
  [
    sources.styleSheetRule,
    fields({ source: number, id: number, styleId: number, adds: rules, removes: numbers }),
  ],
  [
    sources.adoptedStyleSheet,
    fields({
      source: number,
      id: number,
      styleIds: numbers,
      styles: list(fields({ styleId: number, rules })),
    }),
  ],
]);

/** What a person did, and on which node; pressed keys are not included. */
const breadcrumb = fields({
  timestamp: number,
  type: word,
  category: word,
  level: word,
  data: fields({
    nodeId: number,
    node: fields({ id: number, tagName: word }),
    url: safeAddress,
    timeAfterClickMs: number,
    clickCount: number,
    endReason: word,
    count: number,
    limit: number,
  }),
});

/** A call, a file, a page, or a measure of the browser's. */
const performanceSpan: Keep = (value) => {
  if (!isFields(value)) return undefined;
  const { op, description, data } = value;
  const isAddress = typeof op === 'string' && /^(?:navigation|resource)\./u.test(op);
  const about = isFields(data) ? data : {};
  return {
    op: word(op),
    description: isAddress ? safeAddress(description) : word(description),
    startTimestamp: number(value['startTimestamp']),
    endTimestamp: number(value['endTimestamp']),
    data: {
      ...(numbers(about) as object),
      method: word(about['method']),
      previous: safeAddress(about['previous']),
    },
  };
};

const payloads = new Map<unknown, Keep>([
  ['breadcrumb', breadcrumb],
  ['performanceSpan', performanceSpan],
  ['options', numbers],
]);

function dataOf(event: Fields): unknown {
  const { type, data } = event;
  if (!isFields(data)) return undefined;
  switch (type) {
    case kinds.fullSnapshot:
      return fields({ node: safeNode, initialOffset: numbers })(data);
    case kinds.incremental:
      return changes.get(data['source'])?.(data);
    case kinds.meta:
      return fields({ href: safeAddress, width: number, height: number })(data);
    case kinds.custom: {
      const payload = payloads.get(data['tag'])?.(data['payload']);
      return payload === undefined ? undefined : { tag: data['tag'], payload };
    }
    default:
      return undefined;
  }
}

/** An event of a recording. Kinds that are not listed above, such as fonts and canvases, are left out. */
const safeRecordingEvent: Keep = (event) => {
  if (!isFields(event)) return undefined;
  const { type } = event;
  const base = { type, timestamp: number(event['timestamp']) };
  if (type === kinds.domContentLoaded || type === kinds.load) return { ...base, data: {} };
  const data = dataOf(event);
  return data === undefined ? undefined : { ...base, data };
};

/**
 * A piece of a replay as the library passes it: a line with its number, and its events as JSON. A compressed piece
 * cannot be checked, and is not sent.
 */
export function safeRecording(payload: unknown): { head: string; events: string } | undefined {
  if (typeof payload !== 'string') return undefined;
  const end = payload.indexOf('\n');
  const head = fields({ segment_id: number })(JSON.parse(payload.slice(0, end)));
  const events = list(safeRecordingEvent)(JSON.parse(payload.slice(end + 1)));
  return { head: JSON.stringify(head), events: JSON.stringify(events) };
}
