import { beforeEach, describe, expect, it } from 'vitest';
import { choose, chooseThrough, chosenConversations, keepChosen, toggleChosen } from './change';
import { beginSelection, conversationSelection, endSelection } from '.';

const list = ['a', 'b', 'c', 'd', 'e'];

beforeEach(endSelection);

describe('the selection of conversations', () => {
  it('begins with the first one, and ends with nothing in it', () => {
    expect(conversationSelection.on).toBe(false);
    toggleChosen('b');
    expect(conversationSelection.on).toBe(true);
    expect(chosenConversations()).toEqual(['b']);
    toggleChosen('b');
    expect(conversationSelection.on).toBe(true);
    expect(chosenConversations()).toEqual([]);
    choose(list);
    endSelection();
    beginSelection();
    expect(chosenConversations()).toEqual([]);
  });

  it('has ranges in both directions from the row that was pressed last', () => {
    toggleChosen('c');
    chooseThrough('d', list);
    expect(chosenConversations().sort()).toEqual(['c', 'd']);
    chooseThrough('a', list);
    expect(chosenConversations().sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('has a range of one where no row was pressed, and of none outside of the list', () => {
    chooseThrough('x', list);
    expect(conversationSelection.on).toBe(false);
    chooseThrough('d', list);
    expect(chosenConversations()).toEqual(['d']);
    chooseThrough('e', list);
    expect(chosenConversations()).toEqual(['d', 'e']);
  });

  it('loses what leaves the list, and begins no range there', () => {
    toggleChosen('a');
    toggleChosen('c');
    keepChosen(['a', 'b', 'd']);
    expect(chosenConversations()).toEqual(['a']);
    chooseThrough('d', ['a', 'b', 'd']);
    expect(chosenConversations()).toEqual(['a', 'd']);
  });
});
