/**
 * The shapes of the API as the web uses them, until each is taken from the generated `wire.gen.ts`.
 */

export interface Page<T> {
  results: T[];
  pagination: { count: number; next: string | null; previous: string | null };
}

export interface Person {
  id: number;
  uuid: string;
  fullName: string;
  picture?: string;
}

export interface User {
  id: number;
  uuid: string;
  fullName: string;
  email: string;
  picture: string;
  organization: { id: number; name: string };
  isSuperuser: boolean;
  flags: { scheduledTaskView: boolean; uploadCredentials: boolean };
}

export type Permission = 'read' | 'write' | 'owner' | 'remove';

export type ConversationStatus = 'active' | 'archived';

export interface ConversationAbilities {
  send: boolean;
  stop: boolean;
  rewind: boolean;
  rename: boolean;
  delete: boolean;
  manageAccess: boolean;
  addToProject: boolean;
  archive: boolean;
  favorite: boolean;
  duplicate: boolean;
}

export interface Conversation {
  id: string;
  name: string;
  description: string;
  owner: Person;
  ownerStatus: 'owner' | 'shared';
  status: ConversationStatus;
  isFavorite: boolean;
  unreadMessages: number;
  isStreaming: boolean;
  credits: number;
  dataSources: number[];
  projectLabels: number[];
  currentStatusSummary: string;
  head: number;
  epoch: number;
  generation: number;
  messageSet: Message[];
  abilities: ConversationAbilities;
  createdAt: string;
  updatedAt: string;
}

export type MessageRole = 'user' | 'user_proxy' | 'assistant' | 'summary' | 'internal' | 'coordinator';
export type MessageStatus = 'streaming' | 'complete' | 'stopped' | 'interrupted' | 'failed';

export interface DisplayObject {
  id: string;
  name: string;
  type: string;
  language?: string;
  contentType?: string;
  size: number;
}

export interface Message {
  id: string;
  conversationId: string;
  parentMessageId: string | null;
  turnId: string | null;
  seq: number;
  generation: number;
  role: MessageRole;
  displayRole: string;
  text: string;
  status: MessageStatus;
  author: Person | null;
  analyst: { id: number; name: string } | null;
  dataSources: number[];
  displayobjectSet: DisplayObject[];
  createdAt: string;
}

export interface ConversationChanges {
  name?: string;
  description?: string;
  dataSources?: number[];
}

export type GranteeType = 'user' | 'team' | 'organization';

export interface Grantee {
  id: number;
  type: GranteeType;
  name: string;
  picture: string;
}

export interface Grant {
  actor: Grantee;
  permission: Permission;
}

export interface Analyst {
  id: number;
  name: string;
  description: string;
  isEnabled: boolean;
  isDefault: boolean;
}

export interface DataColumn {
  name: string;
  type: 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp';
  description: string;
}

export interface DataResource {
  id: number;
  name: string;
  description: string;
  details: string;
  rows: number;
  preview: string;
  columns: DataColumn[];
}

export type DataSourceScope = 'organization' | 'user' | 'conversation';

export interface DataSource {
  id: number;
  name: string;
  description: string;
  type: string[];
  scope: DataSourceScope;
  owner: Person;
  ownerId: number;
  permission: Permission;
  hasFile: boolean;
  fileName: string;
  size: number;
  isFavorite: boolean;
  isArchived: boolean;
  preview: string;
  dataResourceSet: DataResource[];
  createdAt: string;
  updatedAt: string;
}

export interface DataSourceType {
  id: string;
  name: string;
  isUploadable: boolean;
  extensions: string[];
  mediaTypes: string[];
  maxSize: number;
}

export interface FileInfo {
  type: string;
  name: string;
  description: string;
  delimiter: string;
  encoding: string;
  dataResourceSet: DataResource[];
}

export interface NewPrompt {
  conversationId: string;
  dataSources: number[];
  message: {
    id: string;
    text: string;
    analystId?: number;
    parentMessageId?: string;
    createdAt: string;
    updatedAt: string;
  };
}
