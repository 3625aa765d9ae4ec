export {
  catchUp,
  closeConversation,
  conversationForbidden,
  forgetPresence,
  openConversation,
  patchSession,
  readySession,
  refetch,
  sessionLog,
  sessionPresence,
  sessionState,
  updateConversation,
  type EarlierState,
  type TurnState,
} from './session';
export { loadEarlier } from './earlier';
export { rewindTo, sendMessage, stopTurn } from './turn';
export { sessionEvent, sessionProgress, sessionText } from './events';
