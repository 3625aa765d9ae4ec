export {
  catchUp,
  closeConversation,
  loseConversation,
  openConversation,
  patchSession,
  readySession,
  refetch,
  sessionLog,
  sessionState,
  updateConversation,
  type TurnState,
} from './session';
export { rewindTo, sendMessage, stopTurn } from './turn';
export { sessionEvent, sessionProgress, sessionText } from './events';
