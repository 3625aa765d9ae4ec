import { Spinner, Text } from '@radix-ui/themes';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { useId, useState } from 'react';
import styles from './connector.module.css';

interface FileDropProps {
  file: File | null;
  /** The file is being looked at. */
  busy: boolean;
  disabled: boolean;
  accepted: readonly string[];
  problem: string | undefined;
  onFile: (file: File) => void;
}

/** Takes one file, by drop or by choice. */
export function FileDrop({ file, busy, disabled, accepted, problem, onFile }: FileDropProps) {
  const [over, setOver] = useState(false);
  const problemId = useId();
  const extensions = accepted.map((name) => (name.startsWith('.') ? name : `.${name}`));

  function take(files: FileList | null): void {
    const first = files?.[0];
    if (first && !disabled) onFile(first);
  }

  return (
    <div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is an extra for the mouse; the input inside serves everybody */}
      <label
        className={styles.drop}
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files);
        }}
      >
        <input
          type="file"
          className={styles.hiddenInput}
          aria-label="Choose a file"
          aria-describedby={problem === undefined ? undefined : problemId}
          aria-invalid={problem !== undefined}
          accept={extensions.join(',')}
          disabled={disabled}
          onChange={(event) => {
            take(event.target.files);
            // The same file can be chosen again after it has been mended.
            event.target.value = '';
          }}
        />
        {busy ? <Spinner size="3" /> : file ? <FileSpreadsheet size={22} /> : <Upload size={22} />}
        <Text size="2" weight="medium">
          {file ? file.name : 'Drop a file here, or choose one'}
        </Text>
        <Text size="1" color="gray">
          {busy ? 'Looking at the file' : file ? 'Choose another file' : extensions.join(', ')}
        </Text>
      </label>
      {problem !== undefined && (
        <Text as="p" id={problemId} size="1" color="red" mt="1" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}
