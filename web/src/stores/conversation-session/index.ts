export {
  closeConversation,
  loseConversation,
  openConversation,
  patchSession,
  readySession,
  refetch,
  sessionLog,
  sessionState,
  updateConversation,
  type SessionState,
  type TurnState,
} from './session';
export { rewindTo, sendMessage, stopTurn, type Prompt } from './turn';
export { sessionEvent, sessionProgress, sessionText } from './events';
