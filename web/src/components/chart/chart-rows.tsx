import { Button, Text } from '@radix-ui/themes';
import { useRef } from 'react';
import { Popup } from '@/components/popup/popup';
import { chart as t } from '@/messages/chart';
import type { ChartModel } from './chart-model';
import type { PressedMark } from './pressed-mark';
import { rowsQuestion } from './rows-question';
import styles from './chart.module.css';

interface ChartRowsProps {
  model: ChartModel;
  drawn: ChartModel;
  pressed: PressedMark;
  onAsk: (question: string) => void;
  onClose: () => void;
}

/** What one can do with a mark that was pressed: ask for the rows behind it. */
export function ChartRows({ model, drawn, pressed, onAsk, onClose }: ChartRowsProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const mark = rowsQuestion(model, drawn, pressed);
  if (mark === null) return null;
  return (
    <>
      <span
        ref={anchor}
        className={styles.pressed}
        style={{ left: pressed.left, top: pressed.top }}
        aria-hidden
      />
      <Popup
        anchor={anchor}
        open
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        size="1"
        maxWidth="320px"
        label={mark.place}
      >
        <Text as="p" size="2" weight="medium" mb="2">
          <bdi>{mark.place}</bdi>
        </Text>
        <Button
          type="button"
          size="1"
          variant="soft"
          onClick={() => {
            onClose();
            onAsk(mark.question);
          }}
        >
          {t('rows')}
        </Button>
      </Popup>
    </>
  );
}
