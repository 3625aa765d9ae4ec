export { FileCard, type FileCardProps } from './file-card';
export { formatSize } from './format-size';
