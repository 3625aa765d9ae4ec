import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useMemo,
  useState,
} from 'react';
import type { NoticeHandler } from '@/components/code-block/notice';
import { formatCount } from '@/lib/format';
import { transcript as t } from '@/messages/transcript';
import type { ForeignLink } from './links';
import styles from './markdown.module.css';
import { type MarkdownActions, MarkdownActionsContext } from './markdown-actions';
import type { MarkdownPiecesProps } from './markdown-pieces';
import { PlainText } from './plain-text';

// Longer answers are drawn in slices of this size, on request.
const sliceLength = 100_000;
// This much is rendered at once; the rest of the slice follows when the browser has time. Most answers fit
// completely: an answer that appears in two steps changes its height, and the list around it jumps.
const promptLength = 40_000;

interface MarkdownProps {
  text: string;
  /** More text will follow: shows the cursor and closes open markup at the end. */
  streaming?: boolean | undefined;
  /** Called for a link that leaves the app. Without it, foreign links are text. */
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  /** Follows a link within the app. Without it, such links are ordinary anchors. */
  onNavigate?: ((path: string) => void) | undefined;
  /** Draws a number that a link marks as a figure, given its place among the message's figures. */
  renderFigure?: ((place: number, text: string) => ReactNode) | undefined;
  onNotice?: NoticeHandler | undefined;
}

type PiecesView = ComponentType<MarkdownPiecesProps>;

/**
 * The component with the parser, once it is loaded: answers are then rendered directly, and not first as plain
 * text.
 */
const parser: { view: PiecesView | null } = { view: null };

async function loadPieces(): Promise<{ default: PiecesView }> {
  try {
    const { MarkdownPieces } = await import('./markdown-pieces');
    parser.view = MarkdownPieces;
    return { default: MarkdownPieces };
  } catch {
    // Without the parser the text is still complete.
    return { default: ({ text }: MarkdownPiecesProps) => <PlainText text={text} /> };
  }
}

const LazyPieces = lazy(loadPieces);

/** Loads the parser for pages that will show answers, while the answers are still loading. */
export function preloadMarkdown(): void {
  void loadPieces();
}

/**
 * An answer as a model writes it. Raw HTML stays text, images are loaded from our own origin only, and links to
 * other sites ask first.
 */
export function Markdown(props: MarkdownProps) {
  const { text, streaming = false, onForeignLink, onNavigate, renderFigure, onNotice } = props;
  const [slices, setSlices] = useState(1);
  const shown = text.length > slices * sliceLength ? text.slice(0, slices * sliceLength) : text;
  // It must not change as long as this answer is shown.
  const [Pieces] = useState<PiecesView>(() => parser.view ?? LazyPieces);
  const deferred = useDeferredValue(shown, shown.slice(0, promptLength));
  // It depends on the first heading only, so it does not change while more text arrives, and rendered pieces stay
  // as they are.
  const firstHeading = /^ {0,3}(#{1,6})\s/mu.exec(shown)?.[1]?.length;
  const actions = useMemo<MarkdownActions>(
    () => ({ onForeignLink, onNavigate, renderFigure, onNotice, firstHeading }),
    [onForeignLink, onNavigate, renderFigure, onNotice, firstHeading],
  );

  return (
    <div className={styles.markdown}>
      <MarkdownActionsContext value={actions}>
        <Suspense fallback={<PlainText text={shown} />}>
          <Pieces text={deferred} streaming={streaming} />
        </Suspense>
      </MarkdownActionsContext>
      {shown.length < text.length && (
        <button
          type="button"
          className={styles.more}
          onClick={() => {
            setSlices(slices + 1);
          }}
        >
          {t('markdown.left', { characters: formatCount(text.length - shown.length) })}
        </button>
      )}
    </div>
  );
}
