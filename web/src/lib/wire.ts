import type { components } from '@/api/wire.gen';

/*
 * The shapes of the API by short names. All of them are generated from the server's own types; `npm run
 * generate:wire` generates them again.
 */
type Schemas = components['schemas'];

/** One page of a list. */
export interface Page<T> {
  results: T[];
  pagination: Schemas['Pagination'];
}

export type AgentModel = Schemas['AgentModel'];
export type Annotation = Schemas['Annotation'];
export type Analyst = Schemas['Analyst'];
export type AnalystRequest = Schemas['AnalystRequest'];
export type Blueprint = Schemas['Blueprint'];
export type BlueprintRequest = Schemas['BlueprintRequest'];
export type Cluster = Schemas['Cluster'];
export type ClusterNode = Schemas['ClusterNode'];
export type Conversation = Schemas['Conversation'];
export type ConversationPage = Schemas['ConversationPage'];
export type ConversationStatus = Conversation['status'];
export type Correction = Schemas['Correction'];
export type CorrectionRequest = Schemas['CorrectionRequest'];
export type Credential = Schemas['Credential'];
export type CreditsInfo = Schemas['CreditsInfo'];
export type DataResource = Schemas['DataResource'];
export type DataSource = Schemas['DataSource'];
export type DataSourceScope = DataSource['scope'];
export type DataSourceType = Schemas['DataSourceType'];
export type DisplayObject = Schemas['DisplayObject'];
export type FactChange = Schemas['FactChange'];
export type Facts = Schemas['Facts'];
export type Feedback = Schemas['Feedback'];
export type FileInfo = Schemas['FileInfo'];
export type Grant = Schemas['PermissionEntry'];
export type Grantee = Schemas['ShareableEntity'];
export type GranteeType = Grantee['type'];
export type Meaning = Schemas['Meaning'];
export type MeaningColumn = Schemas['MeaningColumn'];
export type FoundMessage = Schemas['FoundMessage'];
export type MeaningLink = Schemas['MeaningLink'];
export type MeaningReason = Schemas['MeaningReason'];
export type MeaningTable = Schemas['MeaningTable'];
export type Memory = Schemas['Memory'];
export type MemoryRequest = Schemas['MemoryRequest'];
export type MemoryType = Schemas['MemoryType'];
export type MemoryWord = Schemas['MemoryWord'];
export type Message = Schemas['Message'];
export type MessageRole = Message['role'];
export type MessageStatus = Message['status'];
export type OfferedQuestion = Schemas['OfferedQuestion'];
export type Permission = NonNullable<Schemas['ActorGrant']['permission']>;
export type ProjectLabel = Schemas['ProjectLabel'];
export type ProjectLabelRequest = Schemas['ProjectLabelRequest'];
export type Rewound = Schemas['Rewound'];
export type ScheduledTask = Schemas['Task'];
export type Sentiment = Schemas['Sentiment'];
export type ShownColumn = Schemas['ShownColumn'];
export type StartedConversation = Schemas['StartedConversation'];
export type Stopped = Schemas['Stopped'];
export type TimePeriod = Schemas['TimePeriod'];
export type UsageReport = Schemas['UsageReport'];
export type UsageRow = Schemas['UsageRow'];
export type Schedule = Schemas['Schedule'];
export type SentimentCount = Schemas['SentimentCount'];
export type TaskRun = Schemas['TaskRun'];
export type TimeZone = Schemas['TimeZone'];
export type UseCaseCategory = Schemas['UseCaseCategory'];
export type User = Schemas['User'];
export type UserText = Schemas['UserText'];

/** The fields of a conversation that a person changes. */
export type ConversationChanges = Partial<
  Pick<Conversation, 'name' | 'description' | 'dataSources' | 'projectLabels'>
>;
