/** The configuration that the server sends to a browser before a user is signed in. */
export interface AppConfig {
  oidc: { authority: string; clientId: string; scope: string; redirectUri: string };
  version: string;
  /** The address that pages send error reports to (a DSN), if the operator has configured a collector. */
  collector?: string;
}

/** Reads `/config.json`, which is outside the API and needs no bearer. */
export async function getConfig(): Promise<AppConfig> {
  const response = await fetch('/config.json', { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  return (await response.json()) as AppConfig;
}
