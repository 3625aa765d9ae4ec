import { Spinner, Text } from '@radix-ui/themes';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import box from '@/components/surface/drop.module.css';
import { offeredExtensions } from '@/lib/connector-form';
import { cx } from '@/lib/cx';
import { connectors as t } from '@/messages/connectors';
import styles from './connector.module.css';

interface FileDropProps {
  file: File | null;
  /** The file is being inspected. */
  busy: boolean;
  disabled: boolean;
  /** Extensions that the server takes. Other types for which it has a specific message can be chosen, too. */
  accepted: readonly string[];
  problem: string | undefined;
  onFile: (file: File) => void;
}

/**
 * Takes one file, by choice or by a drop anywhere on the page: on a drop outside of the box the browser would open
 * the file and leave the page.
 */
export function FileDrop({ file, busy, disabled, accepted, problem, onFile }: FileDropProps) {
  const [over, setOver] = useState(false);
  const [dropped, setDropped] = useState(0);
  const problemId = useId();
  const extensions = accepted.map((name) => (name.startsWith('.') ? name : `.${name}`));

  function take(files: FileList | null | undefined): void {
    const first = files?.[0];
    if (!first || disabled) return;
    setDropped(files.length);
    onFile(first);
  }

  const drop = useEffectEvent((event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer?.files);
  });

  useEffect(() => {
    const allow = (event: DragEvent): void => event.preventDefault();
    window.addEventListener('dragover', allow);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', allow);
      window.removeEventListener('drop', drop);
    };
  }, []);

  return (
    <div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is an extra for the mouse; the input inside is for all users */}
      <label
        className={cx(box.drop, styles.drop)}
        data-over={over}
        onDragOver={() => setOver(true)}
        onDragLeave={() => setOver(false)}
      >
        <input
          type="file"
          className={styles.hiddenInput}
          aria-label={t('file.choose')}
          aria-describedby={problem === undefined ? undefined : problemId}
          aria-invalid={problem !== undefined}
          accept={offeredExtensions(accepted).join(',')}
          disabled={disabled}
          onChange={(event) => {
            take(event.target.files);
            // The same file can be chosen again after it has been corrected.
            event.target.value = '';
          }}
        />
        {busy ? <Spinner size="3" /> : file ? <FileSpreadsheet size={22} /> : <Upload size={22} />}
        <Text size="2" weight="medium">
          {file ? file.name : t('file.drop')}
        </Text>
        <Text size="1" color="gray">
          {busy ? t('file.reading') : file ? t('file.another') : extensions.join(', ')}
        </Text>
      </label>
      {dropped > 1 && (
        <Text as="p" size="1" color="gray" mt="1" role="status">
          {t('file.first', { count: dropped })}
        </Text>
      )}
      {problem !== undefined && (
        <Text as="p" id={problemId} size="1" color="red" mt="1" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}
