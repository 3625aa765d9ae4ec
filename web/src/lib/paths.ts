import { writeQuery } from './query';

/**
 * The pattern of every page, as the router reads them. Addresses are built from these patterns below, so that links
 * and routes cannot differ.
 */
export const patterns = {
  root: '/',
  home: '/home',
  login: '/login',
  authorizing: '/authorizing',
  unauthorized: '/unauthorized',
  conversations: '/conversations',
  newConversation: '/conversations/new',
  conversation: '/conversations/:conversationId',
  blueprints: '/blueprints',
  newBlueprint: '/blueprints/new',
  blueprint: '/blueprints/:blueprintId',
  blueprintEdit: '/blueprints/:blueprintId/edit',
  blueprintLibrary: '/blueprint/library',
  dataSources: '/datasources',
  dataSource: '/datasource/:dataSourceId',
  dataSourceEdit: '/datasource/:dataSourceId/edit',
  /** The two patterns of a connector in their other spelling. */
  dataSourceToo: '/datasources/:dataSourceId',
  dataSourceEditToo: '/datasources/:dataSourceId/edit',
  memories: '/memories',
  feedback: '/memories/feedbacks/:conversationId',
  projects: '/projects',
  project: '/projects/:projectId',
  projectEdit: '/projects/:projectId/edit',
  account: '/account',
  agents: '/agents',
  newAgent: '/agents/new',
  agent: '/agents/:agentId/conversation?/:conversationId?',
  agentEdit: '/agents/:agentId/edit/conversation?/:conversationId?',
  tasks: '/tasks',
  task: '/tasks/:taskId',
  taskEdit: '/tasks/:taskId/edit',
  dataConfig: '/data-config',
  cluster: '/cluster',
  components: '/components',
  apiReference: '/api-reference',
} as const;

/** The name of a page. */
export type PageName = keyof typeof patterns;

/** `:name` of a pattern, without the mark of an optional one. */
type ParameterOf<Part extends string> = Part extends `:${infer Name}?`
  ? { [key in Name]?: string | number }
  : Part extends `:${infer Name}`
    ? { [key in Name]: string | number }
    : unknown;

type Parameters<Pattern extends string> = Pattern extends `${infer Part}/${infer Rest}`
  ? ParameterOf<Part> & Parameters<Rest>
  : ParameterOf<Pattern>;

/**
 * Builds an address from its pattern. If an optional parameter is left out, the optional segment before it is left
 * out, too: `/agents/1`, and `/agents/1/conversation/2`.
 */
function fill<Pattern extends string>(pattern: Pattern, values: Parameters<Pattern>): string {
  const given = values as Readonly<Record<string, string | number | undefined>>;
  const parts = pattern.split('/');
  const written = parts.flatMap((part, place) => {
    const parameter = /^:(?<name>\w+)\??$/u.exec(part)?.groups?.['name'];
    if (parameter !== undefined) {
      const value = given[parameter];
      return value === undefined ? [] : [encodeURIComponent(value)];
    }
    if (!part.endsWith('?')) return [part];
    const next = /^:(?<name>\w+)\?$/u.exec(parts[place + 1] ?? '')?.groups?.['name'] ?? '';
    return given[next] === undefined ? [] : [part.slice(0, -1)];
  });
  return written.join('/');
}

/** A message as the parameter `message_id` names it. */
export const messageParameter = (id: string): string => `message-${id}`;

/** The message at which a conversation opens. */
function messageQuery(id: string | undefined): string {
  return writeQuery({ message_id: id === undefined ? undefined : messageParameter(id) });
}

/** The initial choices of a new conversation. */
interface NewConversation {
  dataSources?: readonly number[];
  blueprint?: number;
  agent?: number;
}

/** Every address of the app, so that a link cannot be mistyped. */
export const paths = {
  home: patterns.home,
  homeTab: (activeTab: 'blueprint' | 'datasource' | 'activity') =>
    `${patterns.home}${writeQuery({ activeTab })}`,
  login: patterns.login,
  authorizing: patterns.authorizing,
  unauthorized: patterns.unauthorized,
  conversations: patterns.conversations,
  /** A conversation, at a message if one is given. */
  conversation: (conversationId: string, messageId?: string) =>
    fill(patterns.conversation, { conversationId }) + messageQuery(messageId),
  newConversation: ({ dataSources, blueprint, agent }: NewConversation = {}) =>
    `${patterns.newConversation}${writeQuery({ dataSources, blueprint, agent })}`,
  blueprints: patterns.blueprints,
  newBlueprint: patterns.newBlueprint,
  blueprint: (blueprintId: number) => fill(patterns.blueprint, { blueprintId }),
  blueprintEdit: (blueprintId: number) => fill(patterns.blueprintEdit, { blueprintId }),
  blueprintLibrary: patterns.blueprintLibrary,
  dataSources: patterns.dataSources,
  dataSource: (dataSourceId: number) => fill(patterns.dataSource, { dataSourceId }),
  dataSourceEdit: (dataSourceId: number) => fill(patterns.dataSourceEdit, { dataSourceId }),
  memories: patterns.memories,
  /** The read-only view of a conversation, at a message if one is given. */
  feedback: (conversationId: string, messageId?: string) =>
    fill(patterns.feedback, { conversationId }) + messageQuery(messageId),
  projects: patterns.projects,
  project: (projectId: number) => fill(patterns.project, { projectId }),
  projectEdit: (projectId: number) => fill(patterns.projectEdit, { projectId }),
  account: patterns.account,
  agents: patterns.agents,
  newAgent: patterns.newAgent,
  /** An agent, with the conversation in which it is tried if there is one. */
  agent: (agentId: number, conversationId?: string) =>
    fill(patterns.agent, { agentId, ...(conversationId !== undefined && { conversationId }) }),
  agentEdit: (agentId: number, conversationId?: string) =>
    fill(patterns.agentEdit, { agentId, ...(conversationId !== undefined && { conversationId }) }),
  tasks: patterns.tasks,
  task: (taskId: string) => fill(patterns.task, { taskId }),
  taskEdit: (taskId: string) => fill(patterns.taskEdit, { taskId }),
  dataConfig: patterns.dataConfig,
  cluster: patterns.cluster,
  components: patterns.components,
  apiReference: patterns.apiReference,
} as const;

/** The sign-in page, with the reason why the person is there. */
export function loginPath(code?: string): string {
  return `${paths.login}${writeQuery({ code })}`;
}

/**
 * A return path that was passed through the sign-in, if it is a path of ours: a path that a browser would interpret
 * as another origin (`//evil`, `/\evil`) is not.
 */
export function safeReturnPath(path: string | null): string {
  // Browsers remove tabs and line breaks from addresses, so these could hide a second slash.
  if (path === null || !/^\/(?![/\\])\P{Cc}*$/u.test(path)) return '/';
  const bare = path.split(/[?#]/u)[0] ?? '';
  return isSignInPage(bare) ? '/' : path;
}

/** Whether an address without its query is one of those that need no sign-in. */
export function isSignInPage(path: string): boolean {
  const signInPages: readonly string[] = [paths.login, paths.authorizing, paths.unauthorized];
  return signInPages.includes(path);
}

/** The address at which a sign-in begins that returns to another address. */
export function authorizingPath(returnTo: string): string {
  return `${paths.authorizing}${writeQuery({ returnTo })}`;
}
