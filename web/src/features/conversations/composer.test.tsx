import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { changeDraft, resetDrafts } from '@/stores/drafts-store';
import { renderPart } from '@/testing/render';
import { Composer } from './composer';

function Host({ onSend }: { onSend: () => void }) {
  const [running, setRunning] = useState(true);
  return (
    <>
      <button onClick={() => setRunning(false)}>The answer ends</button>
      <Composer
        draftKey="c1"
        dataSources={[]}
        onDataSources={() => undefined}
        onSend={onSend}
        onStop={() => undefined}
        running={running}
        busy={false}
      />
    </>
  );
}

it('says why Enter sends nothing while an answer runs, for as long as it runs', async () => {
  resetDrafts();
  changeDraft('c1', { text: 'and by region?' });
  const onSend = vi.fn();
  const { user } = renderPart(<Host onSend={onSend} />);
  const box = screen.getByRole('textbox', { name: 'Message' });
  await user.type(box, '{Enter}');
  expect(screen.getByRole('status')).toHaveTextContent('The answer is still on its way.');
  expect(box).toHaveValue('and by region?');
  expect(onSend).not.toHaveBeenCalled();
  await user.click(screen.getByText('The answer ends'));
  expect(screen.queryByText(/still on its way/u)).toBeNull();
  await user.type(box, '{Enter}');
  expect(onSend).toHaveBeenCalledOnce();
});
