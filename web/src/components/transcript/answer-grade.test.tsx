import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderView } from '@/testing/fixtures/components/render-view';
import { AnswerGrade } from './answer-grade';

describe('AnswerGrade', () => {
  it('is a word with one line, and shows what was checked when it is pressed', async () => {
    const user = userEvent.setup();
    renderView(
      <AnswerGrade
        grade="unchecked"
        checks={[
          { kind: 'rows', outcome: 'passed' },
          {
            kind: 'total',
            outcome: 'unchecked',
            note: 'Its totals are not checked in a second way (a union).',
          },
        ]}
      />,
    );
    expect(screen.getByText('Not everything behind the figures could be checked.')).toBeVisible();
    expect(screen.queryByRole('list')).toBeNull();
    await user.tab();
    const mark = screen.getByRole('button', { name: 'Unchecked: what was checked', expanded: false });
    expect(mark).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(mark).toHaveAttribute('aria-expanded', 'true');
    const [rows, total] = within(screen.getByRole('list', { name: 'What was checked' })).getAllByRole(
      'listitem',
    );
    expect(rows).toHaveTextContent('No row is counted twicepassed');
    expect(total).toHaveTextContent('unchecked');
    expect(total).toHaveTextContent('(a union)');
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('says that a check failed, and which one', async () => {
    const note = 'sum(budget) gives 3,760,000 over the joined rows.';
    renderView(<AnswerGrade grade="refused" checks={[{ kind: 'total', outcome: 'failed', note }]} />);
    expect(screen.getByText('A check of the figures failed, so they are not shown.')).toBeVisible();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Not answered: what was checked' }));
    expect(screen.getByText(note)).toBeVisible();
  });

  it('is no button if nothing was checked', () => {
    renderView(<AnswerGrade grade="asked" checks={[]} />);
    expect(screen.getByText('Asked')).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
