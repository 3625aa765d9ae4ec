import type { DeepReadonly } from '@/lib/deep-readonly';
import { state, type DataSourcesState } from './state';

export const dataSourcesState: DeepReadonly<DataSourcesState> = state;

export { loadDataSources, refreshDataSources, resetDataSources, type DataSourceDetail } from './state';
export { holdDataSources, useShownSources } from './found';
export {
  archiveSource,
  deleteSource,
  downloadSource,
  loadDataSource,
  refreshPreview,
  toggleDataSourceFavorite,
  updateDictionary,
  updateSource,
} from './change';
export { useUpload } from './upload';
