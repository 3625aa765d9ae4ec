/** What the server detected in a file. */
export interface InspectedFile {
  name: string;
  description: string;
  delimiter: string;
}

/** What the form submits. */
export interface UploadValues {
  file: File;
  name: string;
  description: string;
  delimiter: string;
  /** It is only for the conversation in which the dialog was opened. */
  conversationOnly: boolean;
}
