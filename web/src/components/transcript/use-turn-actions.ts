import { useMemo } from 'react';

import type { TurnActions } from './turn-actions';

/** Returns the same object as long as none of the actions changes. */
export function useTurnActions(actions: TurnActions): TurnActions {
  const { renderDisplayObject, renderFigure, renderFooter, canRewind, onRewind, canRetry, onRetry } = actions;
  const { onShare, onGoTo, onForeignLink, onNavigate, onNotice } = actions;
  return useMemo(
    () => ({
      renderDisplayObject,
      renderFigure,
      renderFooter,
      canRewind,
      onRewind,
      canRetry,
      onRetry,
      onShare,
      onGoTo,
      onForeignLink,
      onNavigate,
      onNotice,
    }),
    [
      renderDisplayObject,
      renderFigure,
      renderFooter,
      canRewind,
      onRewind,
      canRetry,
      onRetry,
      onShare,
      onGoTo,
      onForeignLink,
      onNavigate,
      onNotice,
    ],
  );
}
