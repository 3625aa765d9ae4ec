import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderAt } from '@/testing/render';
import { windowWidth } from '@/testing/window-width';
import { BackToList } from './back-to-list';

it('leads to the list with the filter and the search that the address keeps, and with nothing else of it', async () => {
  windowWidth(390);
  const { user, where } = renderAt('/conversations/c1?filter=favorite&search=spring&message_id=m1', {
    '/conversations/:conversationId': <BackToList />,
    '/conversations': <p>The list</p>,
  });
  await user.click(screen.getByRole('link', { name: 'Back to the list' }));
  expect(where()).toBe('/conversations?filter=favorite&search=spring');
});
