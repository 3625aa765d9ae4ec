import { Select, Skeleton, Text, TextArea } from '@radix-ui/themes';
import { useEffect, useId, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { languageLabel } from '@/components/code-block/languages';
import { cx } from '@/lib/cx';
import { codeEditor as t } from '@/messages/code-editor';
import styles from './code-editor.module.css';
import { editorLanguages } from './editor-languages';
import type { MountedEditor } from './mount-editor';

/** Lets a form focus the editor, like any field. */
export interface CodeEditorHandle {
  focus: () => void;
}

interface CodeEditorProps {
  /** The name of the field. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  /** The language of the code; a language that is not offered is kept and has no colours. */
  language: string;
  onLanguage: (language: string) => void;
  readOnly?: boolean | undefined;
  /** The message of the rule that the code breaks. The form shows it next to the editor. */
  problem?: string | undefined;
  ref?: Ref<CodeEditorHandle> | undefined;
}

type Phase = 'loading' | 'ready' | 'failed';

/** Writes code in one of twelve languages. The editor itself is loaded when the first one is shown. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, onBlur, language, onLanguage, readOnly = false, problem, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedEditor | null>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const focusAsked = useRef(false);
  const [phase, setPhase] = useState<Phase>('loading');
  const helpId = useId();
  // The editor is mounted with the values at the time when it has been loaded, not when loading began.
  const now = useRef({ value, language, label, problem, readOnly, onChange, onBlur });
  useEffect(() => {
    now.current = { value, language, label, problem, readOnly, onChange, onBlur };
  });

  useEffect(() => {
    let gone = false;
    import('./mount-editor').then(
      ({ mountEditor }) => {
        if (gone || host.current === null) return;
        const { value, language, label, problem, readOnly } = now.current;
        mounted.current = mountEditor({
          host: host.current,
          value,
          language,
          settings: { label, problem, readOnly, help: t('help') },
          onChange: (text) => now.current.onChange(text),
          onBlur: () => now.current.onBlur?.(),
        });
        setPhase('ready');
      },
      () => {
        if (!gone) setPhase('failed');
      },
    );
    return () => {
      gone = true;
      mounted.current?.destroy();
      mounted.current = null;
    };
  }, []);

  useEffect(() => {
    // A form may have focused this field while the editor was loading.
    if (focusAsked.current) (mounted.current ?? plain.current)?.focus();
  }, [phase]);
  useEffect(() => mounted.current?.setValue(value), [value]);
  useEffect(() => mounted.current?.setLanguage(language), [language]);
  useEffect(
    () => mounted.current?.setSettings({ label, problem, readOnly, help: t('help') }),
    [label, problem, readOnly],
  );
  useImperativeHandle(ref, () => ({
    focus: () => {
      focusAsked.current = true;
      (mounted.current ?? plain.current)?.focus();
    },
  }));

  const offered: readonly string[] = editorLanguages;
  const languages = offered.includes(language) ? offered : [...offered, language];
  return (
    <div className={cx(styles.editor, problem !== undefined && styles.invalid)}>
      <div className={styles.bar}>
        <Select.Root size="1" value={language} onValueChange={onLanguage} disabled={readOnly}>
          <Select.Trigger variant="ghost" color="gray" aria-label={t('language')} />
          <Select.Content position="popper">
            {languages.map((one) => (
              <Select.Item key={one} value={one}>
                {languageLabel(one)}
              </Select.Item>
            ))}
          </Select.Content>
        </Select.Root>
        {!readOnly && (
          <Text size="1" color="gray" id={helpId}>
            {phase === 'failed' ? t('failed') : t('help')}
          </Text>
        )}
      </div>
      <div className={styles.place}>
        {phase === 'loading' && <Skeleton height="132px" role="status" aria-label={t('loading')} />}
        {phase === 'failed' && (
          <TextArea
            ref={plain}
            rows={6}
            resize="vertical"
            aria-label={label}
            aria-describedby={helpId}
            aria-invalid={problem !== undefined}
            value={value}
            readOnly={readOnly}
            onBlur={onBlur}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
        {/* A form finds its first invalid field by this attribute. */}
        <div
          ref={host}
          className={styles.host}
          hidden={phase !== 'ready'}
          aria-invalid={problem !== undefined}
        />
      </div>
    </div>
  );
}
