/** What the server found out about a file. */
export interface InspectedFile {
  name: string;
  description: string;
  delimiter: string;
}

/** What the form hands over. */
export interface UploadValues {
  file: File;
  name: string;
  description: string;
  delimiter: string;
  /** It is for the conversation in which the dialog was opened, and for no other. */
  conversationOnly: boolean;
}

/** Why an upload failed: messages by field, and one for the whole. */
export interface UploadFailure {
  readonly fields: Readonly<Record<string, string>>;
  readonly message: string;
}
