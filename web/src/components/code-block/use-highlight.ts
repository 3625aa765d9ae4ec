import { useEffect, useState } from 'react';
import { languageName } from './languages';
import type { CodeToken } from './tokens';

// Above this length, highlighting costs more than it helps; the text is shown plain.
const limit = 50_000;

const pauseMs = 60;

interface Highlighted {
  code: string;
  language: string;
  tokens: CodeToken[];
}

/** Coloured runs of the code, or null until the highlighter has loaded (or when the code is too long for it). */
export function useHighlight(code: string, tag: string | undefined): CodeToken[] | null {
  const language = languageName(tag);
  const [highlighted, setHighlighted] = useState<Highlighted | null>(null);
  const wanted = language !== 'text' && code.length > 0 && code.length <= limit;

  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    // Code that is still arriving changes many times a second; it is coloured when it pauses for a moment.
    const timer = setTimeout(() => {
      import('./highlight').then(
        ({ highlight }) => {
          if (current) setHighlighted({ code, language, tokens: highlight(code, language) });
        },
        () => {
          // The chunk could not be loaded: plain code is complete and readable, so no error is shown.
          if (current) setHighlighted(null);
        },
      );
    }, pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [code, language, wanted]);

  if (!wanted || highlighted?.language !== language) return null;
  if (highlighted.code === code) return highlighted.tokens;
  // While code is still arriving, keep the colours that are known and append the rest plain.
  if (!code.startsWith(highlighted.code)) return null;
  return [...highlighted.tokens, { kind: null, text: code.slice(highlighted.code.length) }];
}
