import { describe, expect, it } from 'vitest';
import type { MessageRole } from '@/lib/wire';
import { filters, namedTab, openingTab } from './message-filters';

const roles: readonly MessageRole[] = [
  'user',
  'user_proxy',
  'assistant',
  'coordinator',
  'summary',
  'internal',
];

describe('filters', () => {
  it.each([
    ['all', 'user user_proxy assistant coordinator'],
    ['datasources', 'user user_proxy assistant'],
    ['executive', 'user coordinator summary'],
    ['notes', 'user user_proxy assistant'],
    ['summary', 'user summary'],
    ['debug', 'user user_proxy assistant coordinator internal'],
  ] as const)('%s shows %s', (filter, shown) => {
    expect(roles.filter((role) => filters[filter]({ role })).join(' ')).toBe(shown);
  });
});

describe('openingTab', () => {
  it.each([
    [false, null, 'analytics'],
    [true, null, 'summary'],
    [true, 'user', 'summary'],
    [true, 'assistant', 'analytics'],
    [false, 'summary', 'summary'],
  ] as const)('shared %s, a link to %s: %s', (isShared, linked, tab) => {
    expect(openingTab(isShared, linked)).toBe(tab);
  });
});

describe('namedTab', () => {
  it.each([
    ['?tab=connectors', 'connectors'],
    ['?tab=summary&message_id=m1', 'summary'],
    ['?tab=other', null],
    ['', null],
  ])('%j names %s', (address, tab) => {
    expect(namedTab(new URLSearchParams(address))).toBe(tab);
  });
});
