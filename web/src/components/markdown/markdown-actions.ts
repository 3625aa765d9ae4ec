import { createContext } from 'react';

import type { NoticeHandler } from '../code-block';
import type { ForeignLink } from './links';

/** What an answer may ask its surroundings to do. */
export interface MarkdownActions {
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  onNavigate?: ((path: string) => void) | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** Carries the callbacks past the memoised pieces, so that a new callback parses nothing again. */
export const MarkdownActionsContext = createContext<MarkdownActions>({});
