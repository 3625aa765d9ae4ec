import { Button, Callout, Dialog, Flex } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { FileDrop } from '@/components/connector/file-drop';
import { acceptedExtensions, fileProblem, largestFile } from '@/lib/connector-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { useReturnFocus } from '@/lib/use-return-focus';
import type { DataSource } from '@/lib/wire';
import { common } from '@/messages/common';
import { connectors as t } from '@/messages/connectors';
import { replaceFile } from '@/stores/datasources-store/change';
import { loadSourceTypes, sourceTypes } from '@/stores/datasources-store/sources';

interface ReplaceFileProps {
  source: DeepReadonly<DataSource>;
  onClose: () => void;
}

/** Replaces the file of a connector. The dialog stays open, with the reason, if the server refuses the file. */
export function ReplaceFile({ source, onClose }: ReplaceFileProps) {
  const { types } = useSnapshot(sourceTypes);
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const sending = useRef<AbortController | null>(null);
  const returnFocus = useReturnFocus();
  const accepted = acceptedExtensions(types);

  useEffect(() => void loadSourceTypes(), []);

  // After Cancel, the file that is being uploaded is not wanted.
  useEffect(() => () => sending.current?.abort(), []);

  function choose(next: File): void {
    const refusal = fileProblem(next, { accepted, maxSize: largestFile(types) });
    setProblem(refusal);
    setFailure('');
    if (refusal === undefined) setFile(next);
  }

  async function replace(): Promise<void> {
    if (!file) {
      setProblem(t('rule.file.required'));
      return;
    }
    const abort = new AbortController();
    sending.current = abort;
    setBusy(true);
    setFailure('');
    const outcome = await replaceFile(source.id, file, source.version, abort.signal);
    if (abort.signal.aborted) return;
    setBusy(false);
    if ('source' in outcome) onClose();
    else setFailure(outcome.problem.message);
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Content
        maxWidth="520px"
        {...returnFocus}
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        <Dialog.Title>{t('replace.title', { name: source.name })}</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {t('replace.text', { name: source.fileName })}
        </Dialog.Description>
        <FileDrop
          file={file}
          busy={false}
          disabled={busy}
          accepted={accepted}
          problem={problem}
          onFile={choose}
        />
        {failure !== '' && (
          <Callout.Root color="red" role="alert" size="1" mt="3">
            <Callout.Icon>
              <TriangleAlert size={16} />
            </Callout.Icon>
            <Callout.Text>{failure}</Callout.Text>
          </Callout.Root>
        )}
        <Flex gap="3" mt="5" justify="end">
          <Dialog.Close>
            <Button type="button" variant="soft" color="gray">
              {common('cancel')}
            </Button>
          </Dialog.Close>
          <Button loading={busy} onClick={() => void replace()}>
            {t('replace.confirm')}
          </Button>
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
