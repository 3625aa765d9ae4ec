import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { onDemand } from '@/lib/on-demand';
import { useOpened } from '@/lib/use-opened';
import type { ChoiceParts } from './choice-parts';

/** An option. */
export interface ChoiceOption {
  value: string;
  label: ReactNode;
}

interface ChoiceProps {
  options: readonly ChoiceOption[];
  /** The text if nothing is chosen yet. */
  value: string;
  onChange: (value: string) => void;
  label: string;
  size?: '1' | '2';
  variant?: 'surface' | 'soft' | 'ghost';
  /** Grey instead of the accent. */
  gray?: boolean;
  side?: ComponentProps<ChoiceParts['Content']>['side'];
  className?: string | undefined;
}

const parts = onDemand(async () => (await import('./choice-parts')).choiceParts);

/** Loads the parts of choices in advance, once a page is in use. */
export const preloadChoices = parts.load;

/**
 * Chooses one of a few options. Until it is pressed it is only the design system's button, without the list below
 * it.
 */
export function Choice(props: ChoiceProps) {
  const { options, value, onChange, label, size = '2', variant = 'surface', gray, side, className } = props;
  const { parts: open, button } = useOpened(parts);
  // The element that it controls does not exist yet.
  const list = useId();
  if (!open) {
    const chosen = options.find((option) => option.value === value);
    return (
      <button
        type="button"
        role="combobox"
        aria-label={label}
        aria-controls={list}
        aria-expanded={false}
        aria-autocomplete="none"
        aria-haspopup="listbox"
        data-state="closed"
        {...(gray === true && { 'data-accent-color': 'gray' })}
        {...(!chosen && { 'data-placeholder': '' })}
        className={cx('rt-reset rt-SelectTrigger', `rt-r-size-${size} rt-variant-${variant}`, className)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.currentTarget.click();
        }}
        {...button}
      >
        <span className="rt-SelectTriggerInner">
          <span>{chosen?.label ?? label}</span>
        </span>
        <Chevron />
      </button>
    );
  }
  return (
    <open.Root size={size} value={value} onValueChange={onChange} defaultOpen>
      <open.Trigger
        variant={variant}
        {...(gray === true && { color: 'gray' as const })}
        className={className ?? ''}
        aria-label={label}
        placeholder={label}
      />
      <open.Content position="popper" {...(side && { side })}>
        {options.map((option) => (
          <open.Item key={option.value} value={option.value}>
            {option.label}
          </open.Item>
        ))}
      </open.Content>
    </open.Root>
  );
}

/** The design system's own icon, which it does not export. */
function Chevron() {
  return (
    <svg
      className="rt-SelectIcon"
      width="9"
      height="9"
      viewBox="0 0 9 9"
      fill="currentcolor"
      aria-hidden="true"
      xmlns="http://www.w3.org/2000/svg"
    >
      <path d="M0.135232 3.15803C0.324102 2.95657 0.640521 2.94637 0.841971 3.13523L4.5 6.56464L8.158 3.13523C8.3595 2.94637 8.6759 2.95657 8.8648 3.15803C9.0536 3.35949 9.0434 3.67591 8.842 3.86477L4.84197 7.6148C4.64964 7.7951 4.35036 7.7951 4.15803 7.6148L0.158031 3.86477C-0.0434285 3.67591 -0.0536285 3.35949 0.135232 3.15803Z" />
    </svg>
  );
}
