import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/** Compiles the ICU MessageFormat of `src/messages/<language>/<page>.json`, so that the browser needs no parser. */
export function textFiles(): Plugin {
  return {
    name: 'text-files',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/messages\/[a-z]+\/[a-z-]+\.json$/u.test(id)) return null;
      const texts = JSON.parse(code) as Record<string, string>;
      // A text without placeholders is a list with one string; for a plain string the library would log a warning.
      const compiled = Object.entries(texts).map(([key, text]) => [
        key,
        compileMessage(text, (part) => part),
      ]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}
