/** What every page needs, the sign-in page too: one file instead of some forty. */
const everywhere = [
  /node_modules\/(?:react|react-dom|scheduler|react-router|oidc-client-ts|react-oidc-context|jwt-decode)\//u,
  /node_modules\/(?:valtio|proxy-compare|@lingui\/core|classnames|tslib)\//u,
  /node_modules\/@radix-ui\/(?:react-slot|react-compose-refs|react-primitive|primitive|react-context|react-id)\//u,
  /node_modules\/@radix-ui\/themes\/dist\/esm\/(?:helpers|props)\//u,
  /node_modules\/@radix-ui\/themes\/dist\/esm\/components\/(?:text|heading|button|card|flex|box|spinner|link|slot|visually-hidden)(?:\.props)?\.js/u,
  /node_modules\/@radix-ui\/themes\/dist\/esm\/components\/_internal\/base-button/u,
  /node_modules\/lucide-react\/dist\/esm\/(?!icons\/)/u,
  /vite\/preload-helper|rolldown\/runtime|react-visually-hidden\//u,
  /\/src\/(?:main|app\/(?:root|router|pages|oidc|session-keeper|error-page|appearance|use-appearance|allowed))\b/u,
  /\/src\/features\/auth\/return-path/u,
  /\/src\/api\/(?:client|config|errors|user)\b/u,
  /\/src\/stores\/(?:me|config|errors|preferences)-store/u,
  /\/src\/components\/(?:page|empty-state|logo)\//u,
  /\/src\/lib\/(?:at-sign-out|cx|hotkeys|locale|notify|page-access|paths|query|sign-in|text|texts|toasts|use-media-query|use-title|uuid)\.ts/u,
  /\/src\/messages\/(?:en\/)?(?:common|page|auth|keys)\b/u,
];

/** How the build cuts the program into files. What only one page needs stays with it. */
export const codeSplitting = {
  includeDependenciesRecursively: false,
  groups: [
    { name: 'base', test: (id: string) => everywhere.some((pattern) => pattern.test(id)), priority: 2 },
    {
      name: 'shared',
      priority: 1,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 4_000,
    },
  ],
};
