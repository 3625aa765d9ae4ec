import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Shared } from '@/api/grants';
import { notify } from '@/lib/notify';
import { api, http, page, problem, server } from '@/testing/server';
import { openAccess } from './access-store';

const ben = { id: 2, type: 'user', name: 'Ben Ames', picture: '' } as const;

/** What can be shared, the address of its list of access, and the messages about it. */
const shared: readonly [Shared, string, string, string | null][] = [
  [
    { kind: 'conversation', id: 'c1' },
    'discourse/conversations/c1/actors',
    'Conversation permissions updated successfully',
    'Failed to update conversation permissions: Broken.',
  ],
  [
    { kind: 'datasource', id: 1 },
    'memory/datasources/1/actors',
    'Connector permissions updated successfully',
    'Failed to update connector permissions: Broken.',
  ],
  [
    { kind: 'blueprint', id: 7 },
    'discourse/blueprints/7/actors',
    'Blueprint permissions updated successfully',
    null,
  ],
  [
    { kind: 'analyst', id: 5 },
    'analyst/analysts/5/actors',
    'Agent permissions updated successfully',
    'Failed to update agent permissions: Broken.',
  ],
];

beforeEach(() => {
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
});

describe('saving who has access', () => {
  it.each(shared)('says that it was done: %o', async (what, address, done) => {
    const sent: unknown[] = [];
    server.use(
      http.put(api(address), async ({ request }) => {
        sent.push(await request.json());
        return page([]);
      }),
    );
    const access = openAccess(what);
    expect(await access.save([{ actor: ben, permission: 'read' }])).toBe(true);
    expect(sent).toEqual([{ users: [{ id: 2, permission: 'read' }], teams: [], organizations: [] }]);
    expect(access.state.saving).toBe(false);
    expect(notify.success).toHaveBeenCalledExactlyOnceWith(done);
  });

  it.each(shared)(
    'stops saving where the server refuses, and says nothing of a blueprint: %o',
    async (...row) => {
      const [what, address, , failed] = row;
      server.use(http.put(api(address), () => problem(500, 'I500', 'Broken.')));
      const access = openAccess(what);
      expect(await access.save([{ actor: ben, permission: 'remove' }])).toBe(false);
      expect(access.state.saving).toBe(false);
      expect(vi.mocked(notify.error).mock.calls).toEqual(failed === null ? [] : [[failed]]);
      expect(notify.success).not.toHaveBeenCalled();
    },
  );
});
