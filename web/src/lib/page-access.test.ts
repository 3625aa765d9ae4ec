import { describe, expect, it } from 'vitest';
import { mayOpen } from './page-access';

const flags = { scheduledTaskView: false, uploadCredentials: false };
const abilities = { cluster: false };
const member = { isSuperuser: false, flags, abilities };

describe('mayOpen', () => {
  it.each(['agents', 'newAgent', 'agent', 'agentEdit', 'components'] as const)(
    'gives %s to superusers alone',
    (page) => {
      expect(mayOpen(member, page)).toBe(false);
      expect(mayOpen({ ...member, isSuperuser: true }, page)).toBe(true);
    },
  );

  it.each([
    ['tasks', 'scheduledTaskView'],
    ['task', 'scheduledTaskView'],
    ['taskEdit', 'scheduledTaskView'],
    ['dataConfig', 'uploadCredentials'],
  ] as const)('gives %s to those who have %s', (page, flag) => {
    expect(mayOpen({ isSuperuser: true, flags, abilities }, page)).toBe(false);
    expect(mayOpen({ ...member, flags: { ...flags, [flag]: true } }, page)).toBe(true);
  });

  it('gives cluster to those who operate the server, and not to every superuser', () => {
    expect(mayOpen({ ...member, isSuperuser: true }, 'cluster')).toBe(false);
    expect(mayOpen({ ...member, isSuperuser: true, abilities: { cluster: true } }, 'cluster')).toBe(true);
  });

  it('gives every other page to everybody', () => {
    expect(mayOpen(member, 'memories')).toBe(true);
    expect(mayOpen(null, 'home')).toBe(true);
    expect(mayOpen(null, 'tasks')).toBe(false);
  });
});
