import type { components } from '@/api/wire.gen';

/*
 * The shapes of the API by short names. All of them are generated from the server's own types;
 * `npm run generate:wire` writes them again.
 */
type Schemas = components['schemas'];

/** One page of a list. */
export interface Page<T> {
  results: T[];
  pagination: Schemas['Pagination'];
}

export type Analyst = Schemas['Analyst'];
export type Blueprint = Schemas['Blueprint'];
export type Conversation = Schemas['Conversation'];
export type ConversationStatus = Conversation['status'];
export type DataResource = Schemas['DataResource'];
export type DataSource = Schemas['DataSource'];
export type DataSourceScope = DataSource['scope'];
export type DataSourceType = Schemas['DataSourceType'];
export type DisplayObject = Schemas['DisplayObject'];
export type Feedback = Schemas['Feedback'];
export type FileInfo = Schemas['FileInfo'];
export type Grant = Schemas['PermissionEntry'];
export type Grantee = Schemas['ShareableEntity'];
export type GranteeType = Grantee['type'];
export type Message = Schemas['Message'];
export type MessageRole = Message['role'];
export type MessageStatus = Message['status'];
export type Permission = NonNullable<Schemas['ActorGrant']['permission']>;
export type ProjectLabel = Schemas['ProjectLabel'];
export type Rewound = Schemas['Rewound'];
export type Sentiment = Schemas['Sentiment'];
export type StartedConversation = Schemas['StartedConversation'];
export type Stopped = Schemas['Stopped'];
export type UseCaseCategory = Schemas['UseCaseCategory'];
export type User = Schemas['User'];
export type UserText = Schemas['UserText'];

/** The fields of a conversation that a person changes. */
export type ConversationChanges = Partial<
  Pick<Conversation, 'name' | 'description' | 'dataSources' | 'projectLabels'>
>;
