import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { apiWords, pageName, safeAddress } from './safe-address';
import { safeEvent, safeHeader } from './safe-event';
import { safeRecording } from './safe-recording';

/** One of each kind of text that must never be sent. */
const canaries = [
  'eyJhbGciOiJSUzI1NiJ9.bearer.signature',
  'cookie-canary',
  'secret-canary',
  'password-canary',
  'revenue of Acme in march',
  'cellcanary',
  'mara@meridian.example',
  'https://files.example/x?token=presigned-canary',
];
const all = canaries.join(' ');
/** Those that can be a segment of a path. */
const part = canaries.filter((text) => !text.includes('/')).join(' ');
const id = '0123456789abcdef0123456789abcdef';
const here = window.location.origin;

function expectSafe(value: unknown): void {
  const text = JSON.stringify(value);
  for (const canary of canaries) expect(text).not.toContain(canary);
}

describe('an address', () => {
  it.each([
    ['/conversations/5b2f?message_id=7#top', '/conversations/:conversationId'],
    ['/conversations/new?dataSources[]=1', '/conversations/new'],
    ['/agents/7/edit/conversation/5b2f', '/agents/:agentId/edit/conversation?/:conversationId?'],
    ['/authorizing?code=secret&state=x', '/authorizing'],
    ['/revenue of Acme', '/*'],
    ['/dex/auth/local?req=x', '/*'],
    ['/%E0%A4%A', '/*'],
    [
      '/api/v1/discourse/conversations/5b2f/data-sources?x=1',
      '/api/v1/discourse/conversations/:id/data-sources',
    ],
    ['/api/v1/user/5b2f/stream', '/api/v1/user/:id/stream'],
    ['/api/v1/discourse/conversations/mara@meridian.example', '/api/v1/discourse/conversations/:id'],
    ['/api/v1/discourse/displayobjects/5b2f/content?token=x', '/api/v1/discourse/displayobjects/:id/content'],
    ['/assets/home-page-B1x_.js?x=1', '/assets/home-page-B1x_.js'],
  ])('%s is reported as %s', (address, pattern) => {
    // The router reports a path that cannot be decoded.
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(safeAddress(address)).toBe(here + pattern);
    expect(safeAddress(here + address)).toBe(here + pattern);
  });

  it('of another server says nothing but that', () => {
    expect(safeAddress('https://cellcanary.example/mara')).toBe('https://elsewhere.invalid/*');
    expect(safeAddress('data:text/plain,cellcanary')).toBe('elsewhere:');
    expect(safeAddress('blob:cellcanary')).toBe('elsewhere:');
    expect(safeAddress('http://[')).toBe('elsewhere:');
    expect(safeAddress(undefined)).toBeUndefined();
  });

  it('knows the words of all calls of the contract, and no other ones', () => {
    const contract = JSON.parse(readFileSync('../api/openapi.json', 'utf8')) as { paths: object };
    const parts = Object.keys(contract.paths).flatMap((path) => path.split('/'));
    expect([...apiWords].sort()).toEqual(
      [...new Set(parts.filter((part) => part !== '' && !part.startsWith('{')))].sort(),
    );
  });

  it('gives a page its name', () => {
    expect(pageName('/')).toBe('/');
    expect(pageName('/datasource/17/edit')).toBe('/datasource/:dataSourceId/edit');
  });
});

describe('an error', () => {
  const thrown = (message: string, frames: object[] = [], type = 'TypeError') => ({
    event_id: id,
    level: 'error',
    platform: 'javascript',
    message: all,
    logentry: { message: all },
    extra: { __serialized__: { all } },
    user: { email: 'mara@meridian.example', ip_address: '{{auto}}', username: all },
    server_name: all,
    fingerprint: [all],
    modules: { [all]: all },
    tags: { replayId: id, [all]: all, conversation: all },
    contexts: {
      state: { all },
      replay: { replay_id: id, all },
      trace: { trace_id: id, span_id: id.slice(16), data: { all } },
    },
    request: {
      url: `/conversations/5b2f?q=${all}`,
      headers: { Cookie: all, Authorization: all },
      query_string: all,
      data: all,
    },
    breadcrumbs: [
      { category: 'console', message: all, data: { arguments: [all] }, timestamp: 1 },
      { category: 'ui.click', message: `button[aria-label="${all}"]`, timestamp: 2 },
      {
        category: 'fetch',
        data: { method: 'GET', url: `/api/v1/user/${part}?x=${all}`, status_code: 500, body: all },
      },
      { category: 'navigation', data: { from: `/x?${all}`, to: `/tasks/${part}` } },
    ],
    exception: {
      values: [
        {
          type,
          value: message,
          stacktrace: { frames },
          mechanism: { type: 'generic', handled: false, data: { all } },
        },
      ],
    },
  });
  const values = (event: unknown) =>
    (event as { exception: { values: Record<string, unknown>[] } }).exception.values;

  it('is its type and its stack, and nothing of what it says', () => {
    const frame = {
      filename: `${here}/assets/home-page-B1.js`,
      function: 'render',
      lineno: 1,
      colno: 2,
      context_line: all,
      vars: { all },
    };
    const event = safeEvent(thrown(all, [frame]));
    expectSafe(event);
    expect(values(event)).toEqual([
      {
        type: 'TypeError',
        value: '',
        mechanism: { type: 'generic', handled: false },
        stacktrace: {
          frames: [
            {
              filename: `${here}/assets/home-page-B1.js`,
              function: 'render',
              lineno: 1,
              colno: 2,
              in_app: true,
            },
          ],
        },
      },
    ]);
    expect(event).toMatchObject({
      tags: { replayId: id },
      contexts: { replay: { replay_id: id } },
      request: { url: `${here}/conversations/:conversationId` },
      breadcrumbs: [
        { category: 'console', data: {} },
        { category: 'ui.click' },
        { category: 'fetch', data: { method: 'GET', url: `${here}/api/v1/user/:id`, status_code: 500 } },
        { category: 'navigation', data: { from: `${here}/*`, to: `${here}/tasks/:taskId` } },
      ],
    });
    expect(Object.keys(event as object)).not.toContain('user');
  });

  it.each([
    [
      'a place that the message only says',
      { filename: `${here}/assets/x.js`, function: 'x' },
      `a\n at x (${here}/assets/x.js:1:1)`,
    ],
    ['a place of another server', { filename: 'https://cellcanary.example/assets/x.js', function: 'x' }, ''],
    ['what was typed into a console', { filename: '<anonymous>', function: 'cellcanary' }, ''],
    ['a file that is a text', { filename: `${here}/assets/revenue of Acme in march.js` }, ''],
  ])('leaves out %s', (_, frame, message) => {
    expect(values(safeEvent(thrown(message, [frame])))[0]?.['stacktrace']).toEqual({ frames: [] });
  });

  it('names no function that is named in the message, or is no name', () => {
    for (const name of ['cellcanary', 'mara@meridian.example']) {
      const frame = { filename: `${here}/assets/a.js`, function: name };
      const event = safeEvent(thrown(`no cellcanary`, [frame]));
      expect(values(event)[0]).toMatchObject({ stacktrace: { frames: [{ function: '?' }] } });
    }
  });

  it('has only the name of a class of errors', () => {
    for (const type of ['cellcanary', all, 'Mara Lind', '']) {
      expect(values(safeEvent(thrown('', [], type)))[0]).toMatchObject({ type: 'Error' });
    }
    expect(values(safeEvent(thrown('', [], 'NotFoundError')))[0]).toMatchObject({ type: 'NotFoundError' });
  });

  it('tells the number of a fault of React, and not what it is about', () => {
    const [value] = values(
      safeEvent(thrown(`Minified React error #31; visit https://react.dev/errors/31?args[]=${all}`)),
    );
    expect(value?.['value']).toBe('Minified React error #31');
  });
});

describe('a trace', () => {
  it('is named by the pattern of its page, with its calls by theirs', () => {
    const span = (op: string, description: string, data: object = {}) => ({
      op,
      description,
      span_id: id.slice(16),
      trace_id: id,
      data,
    });
    const event = safeEvent({
      type: 'transaction',
      transaction: '/conversations/5b2f',
      transaction_info: { source: 'url' },
      contexts: {
        trace: { trace_id: id, op: 'navigation', data: { 'url.full': all, 'sentry.op': 'navigation', all } },
      },
      measurements: { lcp: { value: 12.5, unit: 'millisecond' }, [all]: { value: 1 } },
      spans: [
        span('http.client', `GET /api/v1/discourse/conversations/5b2f?q=${all}`, {
          'http.query': all,
          url: all,
          'http.response.status_code': 200,
          [all]: 1,
        }),
        span('resource.script', `/assets/a-1.js?${all}`),
        span('ui.interaction.click', `div > button[title="${all}"]`, { 'lcp.element': all }),
        span('browser.request', `${here}/x?${all}`),
        span('http.client', all),
      ],
    });
    expectSafe(event);
    expect(event).toMatchObject({
      transaction: '/conversations/:conversationId',
      transaction_info: { source: 'route' },
      measurements: { lcp: { value: 12.5, unit: 'millisecond' } },
      spans: [
        {
          description: `GET ${here}/api/v1/discourse/conversations/:id`,
          data: { 'http.response.status_code': 200 },
        },
        { description: `${here}/assets/a-1.js` },
        { op: 'ui.interaction.click', data: {} },
        { op: 'browser.request' },
        { op: 'http.client' },
      ],
    });
  });

  it('is named so before its parts, too', () => {
    const header = safeHeader({
      event_id: id,
      sent_at: '2026-01-02T03:04:05.678Z',
      dsn: all,
      trace: {
        trace_id: id,
        public_key: 'key',
        sample_rate: '1',
        sampled: 'true',
        transaction: `/tasks/${part}`,
        user_id: all,
      },
    });
    expectSafe(header);
    expect(header).toMatchObject({
      event_id: id,
      trace: { trace_id: id, transaction: '/tasks/:taskId', sampled: 'true' },
    });
  });
});

describe('a replay', () => {
  const recorded = (...events: object[]): unknown[] => {
    const made = safeRecording(`{"segment_id":3}\n${JSON.stringify(events)}`);
    expect(made?.head).toBe('{"segment_id":3}');
    expectSafe(made?.events);
    return JSON.parse(made?.events ?? '') as unknown[];
  };
  const text = (content: string, more: object = {}) => ({ type: 3, id: 9, textContent: content, ...more });
  const element = (tagName: string, attributes: object, childNodes: object[] = [], more: object = {}) => ({
    type: 2,
    id: 8,
    tagName,
    attributes,
    childNodes,
    ...more,
  });
  const changed = (data: object) => ({ type: 3, timestamp: 5, data });

  it('keeps elements and how they look, and their texts as stars', () => {
    const attributes = {
      class: `rt-Button _card_10p1g_89 cellcanary language-${canaries[5]}`,
      title: 'Acme in march',
      'aria-label': all,
      'aria-description': all,
      'data-state': 'open',
      'data-side': all,
      'data-row': all,
      href: `/conversations/${part}`,
      src: canaries[7],
      id: all,
      style:
        'width: 40px; background: url(https://cellcanary.example); transform: translateY(12px); height: 43.7%',
    };
    const page = element('div', attributes, [
      text('revenue of Acme'),
      element('p', {}, [text(all)]),
      { type: 5, id: 7, textContent: all },
    ]);
    const [event] = recorded({
      type: 2,
      timestamp: 1,
      data: { node: { type: 0, id: 1, childNodes: [page] }, initialOffset: { left: 0, top: 0 } },
    });
    expect(event).toMatchObject({
      data: {
        node: {
          childNodes: [
            {
              tagName: 'div',
              attributes: {
                class: 'rt-Button _card_10p1g_89',
                title: '**** ** *****',
                'data-state': 'open',
                style: 'width: 40px; transform: translateY(12px)',
              },
              childNodes: [{ textContent: '******* ** ****' }, { tagName: 'p' }, { textContent: '' }],
            },
          ],
        },
      },
    });
    const { attributes: kept } = (event as { data: { node: { childNodes: { attributes: object }[] } } }).data
      .node.childNodes[0]!;
    for (const name of ['href', 'src', 'id', 'data-row', 'data-side', 'aria-description'])
      expect(kept).not.toHaveProperty(name);
  });

  it('leaves drawings empty, since their form is their numbers', () => {
    const bar = element('rect', { height: '170', d: 'M0 170' }, [], { isSVG: true });
    const drawing = element('svg', { class: 'rt-x', 'aria-label': all }, [bar, text(all)], { isSVG: true });
    const [event] = recorded(
      changed({
        source: 0,
        adds: [
          { parentId: 1, nextId: null, node: drawing },
          { parentId: 1, nextId: null, node: bar },
        ],
      }),
    );
    const { adds } = (event as { data: { adds: { node: Record<string, unknown> }[] } }).data;
    expect(adds[0]?.node['childNodes']).toEqual([]);
    expect(adds[1]?.node['attributes']).toEqual({});
  });

  it('keeps the style sheets, and of what they fetch the files of the build', () => {
    const sheet = `a{background:url("${here}/assets/inter.woff2")}b{background:url(https://x.example/${canaries[5]})}`;
    const [event] = recorded({
      type: 2,
      timestamp: 1,
      data: { node: element('style', {}, [text(sheet, { isStyle: true })]) },
    });
    const { childNodes } = (event as { data: { node: { childNodes: { textContent: string }[] } } }).data.node;
    expect(childNodes[0]?.textContent).toBe(
      `a{background:url("${here}/assets/inter.woff2")}b{background:none}`,
    );
  });

  it('masks what changes, and what is typed', () => {
    const events = recorded(
      changed({
        source: 0,
        texts: [{ id: 1, value: all }],
        attributes: [
          {
            id: 1,
            attributes: { title: 'Acme', href: all, class: null, style: { width: '4px', content: all } },
          },
        ],
        removes: [],
      }),
      changed({ source: 5, id: 4, text: 'march', isChecked: false }),
      changed({ source: 1, positions: [{ x: 1, y: 2, id: 3, timeOffset: -4 }] }),
    );
    expect(events).toMatchObject([
      { data: { attributes: [{ attributes: { title: '****', class: null, style: { width: '4px' } } }] } },
      { data: { text: '*****', isChecked: false } },
      { data: { positions: [{ x: 1, y: 2, id: 3, timeOffset: -4 }] } },
    ]);
  });

  it('tells calls and pages by their patterns, and clicks without texts', () => {
    const custom = (tag: string, payload: object) => ({ type: 5, timestamp: 1, data: { tag, payload } });
    const events = recorded(
      { type: 4, timestamp: 1, data: { href: `${here}/tasks/${part}?${all}`, width: 3, height: 4 } },
      custom('performanceSpan', {
        op: 'navigation.push',
        description: `/tasks/5?${all}`,
        data: { previous: `/x/${part}` },
      }),
      custom('performanceSpan', {
        op: 'resource.fetch',
        description: `/api/v1/memory/memories/${part}`,
        data: { method: 'GET', statusCode: 200, request: { body: all, headers: { all } } },
      }),
      custom('breadcrumb', {
        category: 'ui.click',
        message: all,
        data: { nodeId: 4, node: { id: 4, tagName: 'button', textContent: all, attributes: { title: all } } },
      }),
      custom('breadcrumb', { category: 'ui.keyDown', message: all, data: { key: 'm', nodeId: 4 } }),
      custom('mine', { all }),
    );
    expect(events).toEqual([
      { type: 4, timestamp: 1, data: { href: `${here}/tasks/:taskId`, width: 3, height: 4 } },
      custom('performanceSpan', {
        op: 'navigation.push',
        description: `${here}/tasks/:taskId`,
        data: { previous: `${here}/*` },
      }),
      custom('performanceSpan', {
        op: 'resource.fetch',
        description: `${here}/api/v1/memory/memories/:id`,
        data: { method: 'GET', statusCode: 200, request: { headers: {} } },
      }),
      custom('breadcrumb', { category: 'ui.click', data: { nodeId: 4, node: { id: 4, tagName: 'button' } } }),
      custom('breadcrumb', { category: 'ui.keyDown', data: { nodeId: 4 } }),
    ]);
  });

  it('leaves out kinds that nobody has decided about, and a piece that cannot be read', () => {
    expect(
      recorded(
        { type: 6, timestamp: 1, data: { all } },
        changed({ source: 10, family: all }),
        changed({ source: 99, all }),
      ),
    ).toEqual([]);
    expect(safeRecording(new Uint8Array([1, 2]))).toBeUndefined();
  });

  it('says beside each piece which pages it shows, by their patterns', () => {
    const event = safeEvent({
      type: 'replay_event',
      replay_id: id,
      segment_id: 0,
      urls: [`${here}/tasks/5#${all}`],
      segment_names: [`/tasks/${part}`],
      error_ids: [id, all],
    });
    expect(event).toEqual({
      type: 'replay_event',
      replay_id: id,
      segment_id: 0,
      urls: [`${here}/tasks/:taskId`],
      segment_names: ['/tasks/:taskId'],
      error_ids: [id],
    });
  });
});
