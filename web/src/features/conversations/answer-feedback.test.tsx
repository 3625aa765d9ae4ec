import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { TranscriptMessage } from '@/components/transcript/message';
import { notify } from '@/lib/notify';
import { resetFeedback } from '@/stores/feedback-store';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { AnswerFeedback } from './answer-feedback';

const answer: TranscriptMessage = {
  id: 'm1',
  role: 'assistant',
  text: 'Net sales grew.',
  status: 'complete',
  createdAt: '2026-11-20T08:00:00.000Z',
  displayObjects: [],
};
const label = (id: number, name: string, isDefault = false) => ({ id, name, isDefault });
const sentiments = [
  { id: 1, name: 'Like', labelSet: [label(1, 'Helpful', true), label(2, 'Accurate')] },
  { id: 2, name: 'Dislike', labelSet: [label(11, 'Not helpful', true), label(12, 'Wrong numbers')] },
  { id: 3, name: 'Question', labelSet: [label(21, 'Question', true)] },
];
const bodies: unknown[] = [];
const asked = { times: 0 };

beforeEach(() => {
  bodies.length = 0;
  asked.times = 0;
  resetFeedback();
  server.use(
    http.get(api('discourse/sentiments'), () => {
      asked.times++;
      return page(sentiments);
    }),
    http.put(api('discourse/messages/m1/feedbacks'), async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({});
    }),
  );
});

describe('AnswerFeedback', () => {
  it('asks the server for the reasons when feedback is first given, and once', async () => {
    const { user } = renderPart(
      <>
        <AnswerFeedback message={answer} />
        <AnswerFeedback message={{ ...answer, id: 'm2' }} />
      </>,
    );
    expect(screen.getAllByRole('group', { name: 'Feedback' })).toHaveLength(2);
    expect(asked.times).toBe(0);
    for (const button of screen.getAllByLabelText('Good answer')) {
      await user.click(button);
      await user.click(await screen.findByText('Helpful'));
      await user.keyboard('{Escape}');
    }
    expect(asked.times).toBe(1);
  });

  it('says that the reasons cannot be loaded, and asks again with the next press', async () => {
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    server.use(http.get(api('discourse/sentiments'), () => problem(500, 'I500', 'Not now.')));
    const { user } = renderPart(<AnswerFeedback message={answer} />);
    await user.click(screen.getByLabelText('Bad answer'));
    // The client asks once more before it gives up.
    await expect.poll(() => said.mock.calls, { timeout: 5000 }).toEqual([['Not now.']]);
    expect(screen.queryByRole('dialog')).toBeNull();
    server.use(http.get(api('discourse/sentiments'), () => page(sentiments)));
    await user.click(screen.getByLabelText('Bad answer'));
    expect(await screen.findByText('Wrong numbers')).toBeVisible();
  });

  it('asks for a reason or a comment, sends it once, and shows it as given', async () => {
    const said = vi.spyOn(notify, 'success').mockReturnValue();
    const { user } = renderPart(<AnswerFeedback message={answer} />);
    await user.click(screen.getByLabelText('Bad answer'));
    const form = within(await screen.findByRole('dialog', { name: 'What is wrong with it?' }));
    await user.click(form.getByText('Send'));
    expect(await form.findByText('Please select a option or leave a comment')).toBeVisible();
    await expect.poll(() => document.activeElement).toBe(form.getByRole('textbox', { name: 'Comment' }));
    expect(bodies).toEqual([]);
    await user.click(form.getByText('Wrong numbers'));
    await expect.poll(() => form.queryByRole('alert')).toBeNull();
    await user.type(form.getByLabelText('Comment'), '  March is missing');
    await user.click(form.getByText('Send'));
    await expect.poll(() => bodies).toEqual([{ label: [12], comment: [{ text: 'March is missing' }] }]);
    await expect.poll(() => screen.getByLabelText('Bad answer').getAttribute('aria-pressed')).toBe('true');
    expect(said).toHaveBeenCalledExactlyOnceWith('Feedback sent');
    expect(screen.getByLabelText('Good answer')).toBeDisabled();
  });

  it('takes a comment alone for no reason in particular', async () => {
    const { user } = renderPart(<AnswerFeedback message={answer} />);
    await user.click(screen.getByLabelText('Ask about this answer'));
    const comment = await screen.findByLabelText('Comment');
    expect(screen.queryByText('Helpful')).toBeNull();
    // Counted as the server does: 300 of these have 600 UTF-16 units.
    await user.click(comment);
    await user.paste('😀'.repeat(301));
    expect(comment).toHaveValue('😀'.repeat(300));
    expect(comment).toHaveAccessibleDescription('300 of 300 characters');
    await user.clear(comment);
    await user.type(comment, 'Net of what?');
    await user.click(screen.getByText('Send'));
    await expect.poll(() => bodies).toEqual([{ label: [21], comment: [{ text: 'Net of what?' }] }]);
  });

  it('keeps what was written when the server refuses', async () => {
    server.use(http.put(api('discourse/messages/m1/feedbacks'), () => problem(500, 'I500', 'Not now.')));
    const { user } = renderPart(<AnswerFeedback message={answer} />);
    await user.click(screen.getByLabelText('Good answer'));
    await user.type(await screen.findByLabelText('Comment'), 'Clear');
    await user.click(screen.getByText('Send'));
    // The client asks once more before it gives up.
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.');
    expect(screen.getByLabelText('Comment')).toHaveValue('Clear');
    expect(screen.getByLabelText('Good answer')).toHaveAttribute('aria-pressed', 'false');
  });
});
