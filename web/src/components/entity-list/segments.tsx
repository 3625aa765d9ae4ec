import { IconButton, SegmentedControl } from '@radix-ui/themes';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { entityList as t } from '@/messages/entity-list';
import type { ListSegment } from './entity';
import styles from './segments.module.css';

interface SegmentsProps {
  segments: readonly ListSegment[];
  value: string;
  label: string;
  onChange: (value: string) => void;
}

/** The distance that one press on an arrow scrolls, in pixels (specification 2, section 9). */
const scrollStep = 200;

/** Segments that scroll sideways if they do not all fit, with a fade and arrows at the ends that hide some. */
export function Segments({ segments, value, label, onChange }: SegmentsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState({ start: false, end: false });

  const measure = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const start = box.scrollLeft > 1;
    const end = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
    setHidden((now) => (now.start === start && now.end === end ? now : { start, end }));
  }, []);

  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [measure, segments]);

  /** The control itself does not support disabled segments. */
  const choose = (to: string): void => {
    if (segments.find((segment) => segment.value === to)?.disabled !== true) onChange(to);
  };

  const scroll = (by: number): void => scroller.current?.scrollBy({ left: by, behavior: 'smooth' });

  return (
    <div className={styles.root} data-hidden-start={hidden.start} data-hidden-end={hidden.end}>
      {hidden.start && <Arrow side="start" onClick={() => scroll(-scrollStep)} />}
      <div ref={scroller} className={styles.scroller} onScroll={measure}>
        <SegmentedControl.Root value={value} onValueChange={choose} aria-label={label}>
          {segments.map((segment) => (
            <SegmentedControl.Item
              key={segment.value}
              value={segment.value}
              {...(segment.disabled === true && { 'aria-disabled': true, className: styles.disabled ?? '' })}
            >
              {segment.label}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
      </div>
      {hidden.end && <Arrow side="end" onClick={() => scroll(scrollStep)} />}
    </div>
  );
}

/** The keyboard reaches every segment without it, so it is for the mouse only. */
function Arrow({ side, onClick }: { side: 'start' | 'end'; onClick: () => void }) {
  const Icon = side === 'start' ? ChevronLeft : ChevronRight;
  return (
    <IconButton
      className={styles.arrow ?? ''}
      data-side={side}
      size="1"
      variant="surface"
      color="gray"
      radius="full"
      tabIndex={-1}
      aria-label={side === 'start' ? t('segments.back') : t('segments.forward')}
      onClick={onClick}
    >
      <Icon size={14} aria-hidden="true" />
    </IconButton>
  );
}
