import { describe, expect, it } from 'vitest';
import { offered } from './offered';

const answer =
  'I did not understand.\n\nYou could ask, for example:\n\n- Total sales by region\n- How many orders are there?\n';

describe('offered', () => {
  it('TakesTheQuestionsFromTheEnd, and keeps the line above them', () => {
    expect(offered(answer)).toEqual({
      text: 'I did not understand.\n\nYou could ask, for example:',
      questions: ['Total sales by region', 'How many orders are there?'],
      areAnswers: false,
    });
  });

  it('TakesTheAnswersToAQuestionOfTheAnalyst', () => {
    expect(
      offered('Gross or net?\n\nYou could answer:\n\n- What are gross sales?\n- What are net sales?'),
    ).toEqual({
      text: 'Gross or net?\n\nYou could answer:',
      questions: ['What are gross sales?', 'What are net sales?'],
      areAnswers: true,
    });
  });

  it.each([
    ['AListThatOffersNothing', 'The regions are:\n\n- North\n- South'],
    ['AnOfferThatTheAnswerGoesOnAfter', `${answer}\nBut first look at the table.`],
    ['AnswersInTheMiddleOfALine', 'Which of these you could answer: \n- North'],
    ['AnOfferWithoutQuestions', 'You could ask, for example:'],
    [
      'AnOfferOfMoreThanAnybodyReads',
      `You could ask:\n${'- One\n- Two\n- Three\n- Four\n- Five\n'.replaceAll('- ', '- x')}- a\n- b\n- c\n- d`,
    ],
    ['AnOfferOfASpeech', `You could ask:\n- ${'word '.repeat(50)}`],
  ])('Leaves %s as it is', (_, text) => {
    expect(offered(text)).toEqual({ text, questions: [], areAnswers: false });
  });

  it('DoesNotHangOnLongTexts', () => {
    const text = `${'You could ask, '.repeat(20_000)}\n${'\n'.repeat(50_000)}- a`;
    expect(offered(text).questions).toEqual([]);
  });
});
