import { writeQuery } from './query';

/** Every address of the app, so that a link cannot be mistyped. */
export const paths = {
  home: '/home',
  login: '/login',
  authorizing: '/authorizing',
  unauthorized: '/unauthorized',
  conversations: '/conversations',
  conversation: (id: string) => `/conversations/${encodeURIComponent(id)}`,
  newConversation: (options: { dataSources?: readonly number[]; blueprint?: number; agent?: number } = {}) =>
    `/conversations/new${writeQuery(options)}`,
  blueprints: '/blueprints',
  blueprintLibrary: '/blueprint/library',
  dataSources: '/datasources',
  dataSource: (id: number) => `/datasource/${id}`,
  dataSourceEdit: (id: number) => `/datasource/${id}/edit`,
  components: '/components',
  apiReference: '/api-reference',
} as const;

/** The sign-in page, saying why the person is there. */
export function loginPath(code?: string): string {
  return `${paths.login}${writeQuery({ code })}`;
}

/**
 * A return path that was carried through the sign-in, if it is one of ours: a path that a browser
 * would read as another origin (`//evil`, `/\evil`) is not.
 */
export function safeReturnPath(path: string | null): string {
  // Browsers drop tabs and line breaks from addresses, so one of those could hide a second slash.
  if (path === null || !/^\/(?![/\\])\P{Cc}*$/u.test(path)) return '/';
  const bare = path.split(/[?#]/u)[0] ?? '';
  const signInPages: readonly string[] = [paths.login, paths.authorizing, paths.unauthorized];
  return signInPages.includes(bare) ? '/' : path;
}
