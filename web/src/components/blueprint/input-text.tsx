import { messageParts, type BlueprintInput } from '@/lib/blueprint-message';
import styles from './input-text.module.css';

interface InputTextProps {
  text: string;
  inputs: readonly BlueprintInput[];
}

/** A text of a blueprint. The name of an input is marked where its value will be inserted. */
export function InputText({ text, inputs }: InputTextProps) {
  return messageParts(text, inputs).map((part, place) =>
    part.input === undefined ? (
      <span key={place}>{part.text}</span>
    ) : (
      <mark key={place} className={styles.input}>
        {part.input}
      </mark>
    ),
  );
}
