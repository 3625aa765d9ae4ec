/** A message of a view for the person. The feature that uses the view shows it as a toast. */
export interface Notice {
  tone: 'success' | 'error';
  text: string;
}

/** Receives the notices of a view. */
export type NoticeHandler = (notice: Notice) => void;
