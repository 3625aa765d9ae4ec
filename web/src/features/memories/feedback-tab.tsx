/** The tab of `/memories` with what people said of answers. */
export function FeedbackTab() {
  return null;
}
