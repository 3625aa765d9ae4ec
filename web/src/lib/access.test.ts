import { describe, expect, it } from 'vitest';
import { changedGrants, withChange, type GrantChange } from './access';
import type { Grant } from './wire';

const person = (id: number, name: string) => ({ id, name, type: 'user' as const, picture: '' });
const team = { id: 2, name: 'Sales', type: 'team' as const, picture: '' };
const grants: Grant[] = [
  { actor: person(1, 'Mara'), permission: 'owner' },
  { actor: person(2, 'Tomas'), permission: 'read' },
];

function after(...steps: GrantChange[]): { rows: string[]; changes: GrantChange[] } {
  const changes = steps.reduce<GrantChange[]>((held, step) => withChange(grants, held, step), []);
  const rows = changedGrants(grants, changes).map(({ actor, permission }) => `${actor.name} ${permission}`);
  return { rows, changes };
}

describe('withChange', () => {
  it('AddsATeam beside a person of the same number', () => {
    expect(after({ actor: team, permission: 'read' }).rows).toEqual([
      'Mara owner',
      'Tomas read',
      'Sales read',
    ]);
  });

  it('ChangesARight', () => {
    expect(after({ actor: person(2, 'Tomas'), permission: 'write' }).rows).toEqual([
      'Mara owner',
      'Tomas write',
    ]);
  });

  it('IsNoChange to remove somebody and put them back, or to add somebody and remove them', () => {
    const tomas = person(2, 'Tomas');
    const back = after(
      { actor: tomas, permission: 'remove' },
      { actor: tomas, permission: 'read' },
      { actor: team, permission: 'write' },
      { actor: team, permission: 'remove' },
    );
    expect(back).toEqual({ rows: ['Mara owner', 'Tomas read'], changes: [] });
  });
});
