import { Navigate, type LazyRouteFunction, type RouteObject } from 'react-router';
import { patterns, paths, type PageName } from '@/lib/paths';
import { Allowed } from './allowed';

/** A page as a separate module, which is loaded when it is first opened. */
type LazyPage = LazyRouteFunction<RouteObject>;

const dataSourcePage: LazyPage = () => import('@/features/datasources/datasource-page');
const agentPage: LazyPage = () => import('@/features/agents/agent-page');
const taskPage: LazyPage = () => import('@/features/tasks/task-page');
const conversationPagesFile = () => import('@/features/conversations/conversation-pages');
const homePage: LazyPage = () => import('@/features/home/home-page');

/**
 * The pages of those who are signed in. A page that is not in this table does not exist yet: nothing links to it.
 * lib/page-access says who may open which.
 */
const pages: Partial<Record<PageName, LazyPage>> = {
  root: homePage,
  home: homePage,
  blueprints: () => import('@/features/blueprints/blueprints-page'),
  blueprint: () => import('@/features/blueprints/blueprint-page'),
  newBlueprint: () => import('@/features/blueprints/new-blueprint-page'),
  blueprintEdit: () => import('@/features/blueprints/blueprint-edit-page'),
  blueprintLibrary: () => import('@/features/blueprints/library-page'),
  dataSources: () => import('@/features/datasources/datasources-page'),
  dataSource: dataSourcePage,
  dataSourceEdit: dataSourcePage,
  dataSourceToo: dataSourcePage,
  dataSourceEditToo: dataSourcePage,
  agents: () => import('@/features/agents/agents-page'),
  newAgent: () => import('@/features/agents/new-agent-page'),
  agent: agentPage,
  agentEdit: agentPage,
  memories: () => import('@/features/memories/memories-page'),
  feedback: () => import('@/features/memories/feedback-page'),
  projects: () => import('@/features/projects/projects-page'),
  project: () => import('@/features/projects/project-page'),
  projectEdit: () => import('@/features/projects/project-edit-page'),
  account: () => import('@/features/account/account-page'),
  dataConfig: () => import('@/features/data-config/data-config-page'),
  cluster: () => import('@/features/cluster/cluster-page'),
  tasks: () => import('@/features/tasks/tasks-page'),
  task: taskPage,
  taskEdit: taskPage,
  apiReference: () => import('@/features/reference/reference-page'),
  components: () => import('@/features/showcase/showcase-page'),
};

/** Pages that are shown next to the list of conversations. */
const conversationPages: Partial<Record<PageName, LazyPage>> = {
  newConversation: () => import('@/features/conversations/new-conversation-page'),
  conversation: async () => ({ Component: (await conversationPagesFile()).Page }),
};

/** Whether there is such a page yet. */
export function hasPage(name: PageName): boolean {
  return name === 'conversations' || pages[name] !== undefined || conversationPages[name] !== undefined;
}

function routesOf(table: Partial<Record<PageName, LazyPage>>): RouteObject[] {
  return Object.entries(table).map(([name, lazy]) => ({
    path: patterns[name as PageName],
    // It wraps the page, so that the module of the page need not know who may see it.
    element: <Allowed page={name as PageName} />,
    children: [{ index: true, lazy }],
  }));
}

/** The routes of the pages above, and of addresses that lead somewhere else. */
export function pageRoutes(): RouteObject[] {
  return [
    ...routesOf(pages),
    {
      path: patterns.conversations,
      lazy: async () => ({ Component: (await conversationPagesFile()).Layout }),
      children: [
        { index: true, lazy: async () => ({ Component: (await conversationPagesFile()).Index }) },
        ...routesOf(conversationPages),
      ],
    },
    // Addresses that remain when a person deletes the last segment of an address.
    { path: '/blueprint', element: <Navigate to={paths.blueprints} replace /> },
    { path: '/datasource', element: <Navigate to={paths.dataSources} replace /> },
    { path: '/memories/feedbacks', element: <Navigate to={paths.memories} replace /> },
    { path: '*', lazy: () => import('./not-found') },
  ];
}
