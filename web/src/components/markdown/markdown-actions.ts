import { createContext, type ReactNode } from 'react';

import type { NoticeHandler } from '@/components/code-block/notice';
import type { ForeignLink } from './links';

/** What an answer may ask its surroundings to do, and what its parts have to know of the whole. */
export interface MarkdownActions {
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  onNavigate?: ((path: string) => void) | undefined;
  /** Draws a number that is a cell; its place is that among the message's figures. */
  renderFigure?: ((place: number, text: string) => ReactNode) | undefined;
  onNotice?: NoticeHandler | undefined;
  /** How deep the first of its headings is, 1 to 6; left out where it has none. */
  firstHeading?: number | undefined;
}

/** Carries the callbacks past the memoised pieces, so that a new callback parses nothing again. */
export const MarkdownActionsContext = createContext<MarkdownActions>({});
