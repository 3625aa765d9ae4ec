import { createContext, type ReactNode } from 'react';
import type { NoticeHandler } from '@/components/code-block/notice';
import type { ForeignLink } from './links';

/** The callbacks of an answer, and what its parts must know about the whole answer. */
export interface MarkdownActions {
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  onNavigate?: ((path: string) => void) | undefined;
  /** Renders a number that is a cell; `place` is its index among the message's figures. */
  renderFigure?: ((place: number, text: string) => ReactNode) | undefined;
  onNotice?: NoticeHandler | undefined;
  /** The level of its first heading, 1 to 6; left out if it has none. */
  firstHeading?: number | undefined;
}

/**
 * Passes the callbacks around the memoised pieces, so that a new callback does not cause anything to be parsed
 * again.
 */
export const MarkdownActionsContext = createContext<MarkdownActions>({});
