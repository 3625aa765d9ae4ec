import { proxy } from 'valtio';
import { getConfig, type AppConfig } from '@/api/config';
import type { DeepReadonly } from '@/lib/deep-readonly';

/** The configuration that the server sends before sign-in. */
interface ConfigState {
  config: AppConfig | null;
  failed: boolean;
}

const state = proxy<ConfigState>({ config: null, failed: false });

export const configState: DeepReadonly<ConfigState> = state;

/** Loads the configuration once; a failure can be tried again. */
export async function loadConfig(): Promise<void> {
  state.failed = false;
  try {
    state.config = await getConfig();
  } catch {
    state.failed = true;
  }
}
