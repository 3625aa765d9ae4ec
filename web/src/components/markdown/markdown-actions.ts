import { createContext, type ReactNode } from 'react';

import type { NoticeHandler } from '@/components/code-block/notice';
import type { ForeignLink } from './links';

/** What an answer may ask its surroundings to do. */
export interface MarkdownActions {
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  onNavigate?: ((path: string) => void) | undefined;
  /** Draws a number that is a cell; its place is that among the message's figures. */
  renderFigure?: ((place: number, text: string) => ReactNode) | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** Carries the callbacks past the memoised pieces, so that a new callback parses nothing again. */
export const MarkdownActionsContext = createContext<MarkdownActions>({});
