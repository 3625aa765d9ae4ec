import { useMemo } from 'react';
import type { TurnActions } from './turn-actions';

/** Returns the same object as long as none of the actions changes. */
export function useTurnActions(actions: TurnActions): TurnActions {
  const {
    renderDisplayObject,
    renderFigure,
    renderFooter,
    renderAssumed,
    canRewind,
    onRewind,
    canRetry,
    onRetry,
  } = actions;
  const { onShare, onGoTo, onForeignLink, onNavigate, onNotice } = actions;
  return useMemo(
    () =>
      ({
        renderDisplayObject,
        renderFigure,
        renderFooter,
        renderAssumed,
        canRewind,
        onRewind,
        canRetry,
        onRetry,
        onShare,
        onGoTo,
        onForeignLink,
        onNavigate,
        onNotice,
      }) satisfies Record<keyof TurnActions, unknown>, // an action that is left out here would never be called
    [
      renderDisplayObject,
      renderFigure,
      renderFooter,
      renderAssumed,
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
