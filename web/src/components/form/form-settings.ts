import { createContext } from 'react';

/** What all fields of a form have in common. */
interface FormSettings {
  /** It is shown, and cannot be changed. */
  readOnly: boolean;
  /** Checks and submits the whole form, also from a button that is not its default one. */
  submit: () => void;
}

export const FormSettingsContext = createContext<FormSettings>({ readOnly: false, submit: () => undefined });
