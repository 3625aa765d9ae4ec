import { beforeEach, describe, expect, it } from 'vitest';
import { hold } from '@/testing/hold';
import { api, http, page, problem, server } from '@/testing/server';
import { loadQuestions, questionsState, resetQuestions } from './questions-store';

const texts = (): string[] => questionsState.questions.map(({ text }) => text);

beforeEach(resetQuestions);

describe('loadQuestions', () => {
  it('asks for three of the connectors, and once', async () => {
    const asked: string[] = [];
    server.use(
      http.get(api('memory/datasources/questions'), ({ request }) => {
        asked.push(new URL(request.url).search);
        return page([{ text: 'How many orders are there?', dataSourceId: 1 }]);
      }),
    );
    await loadQuestions([1, 2]);
    await loadQuestions([1, 2]);
    expect(asked).toEqual(['?data_sources=1%2C2&limit=3']);
    expect(texts()).toEqual(['How many orders are there?']);
  });

  it('shows those of the last choice, whichever answer comes last', async () => {
    const slow = hold();
    server.use(
      http.get(api('memory/datasources/questions'), async ({ request }) => {
        const of = new URL(request.url).searchParams.get('data_sources') ?? '';
        if (of === '1') await slow.held;
        return page([{ text: `of ${of}`, dataSourceId: Number(of) }]);
      }),
    );
    const first = loadQuestions([1]);
    await loadQuestions([2]);
    slow.release();
    await first;
    expect(texts()).toEqual(['of 2']);
  });

  it('offers none when it fails, and asks again the next time', async () => {
    server.use(http.get(api('memory/datasources/questions'), () => problem(500, 'I500', 'no')));
    await loadQuestions([1]);
    expect(questionsState.status).toBe('fetched');
    expect(texts()).toEqual([]);
    server.use(http.get(api('memory/datasources/questions'), () => page([{ text: 'Now', dataSourceId: 1 }])));
    await loadQuestions([1]);
    expect(texts()).toEqual(['Now']);
  });

  it('asks nothing when there is no connector', async () => {
    await loadQuestions([]);
    expect(questionsState).toMatchObject({ status: 'fetched', questions: [] });
  });
});
