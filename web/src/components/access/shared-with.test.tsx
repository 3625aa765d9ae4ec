import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import type { Grant } from '@/lib/wire';
import { SharedWith } from './shared-with';

const grant = (id: number, name: string, permission: Grant['permission'] = 'read'): Grant => ({
  actor: { type: 'user', id, name, picture: '' },
  permission,
});
const ada = grant(1, 'Ada Lindqvist', 'owner');
const four = [grant(2, 'Ben Ames'), grant(3, 'Cleo Marsh'), grant(4, 'Dan Ito'), grant(5, 'Eve Sol')];

describe('SharedWith', () => {
  it('shows three by their initials, counts the others, and says who they are', async () => {
    const onOpen = vi.fn();
    const { user } = renderPart(<SharedWith grants={[ada, ...four]} onOpen={onOpen} />);
    const stack = screen.getByRole('button', {
      name: 'Shared with Ben Ames, Cleo Marsh, Dan Ito, and Eve Sol',
    });
    await waitFor(() => expect(stack).toHaveTextContent(/^BACMDI\+1$/u));
    await user.click(stack);
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it('counts nobody when all are shown', async () => {
    renderPart(<SharedWith grants={[ada, ...four.slice(0, 3)]} onOpen={vi.fn()} />);
    await waitFor(() => expect(screen.getByRole('button')).toHaveTextContent(/^BACMDI$/u));
  });

  it('is not there when nobody but the owner has access', () => {
    renderPart(<SharedWith grants={[ada]} onOpen={vi.fn()} />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
