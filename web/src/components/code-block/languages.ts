const labels: Readonly<Record<string, string>> = {
  bash: 'Shell',
  css: 'CSS',
  csv: 'CSV',
  diff: 'Diff',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  markdown: 'Markdown',
  python: 'Python',
  r: 'R',
  sql: 'SQL',
  text: 'Text',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
};

const aliases: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  md: 'markdown',
  plaintext: 'text',
  postgres: 'sql',
  postgresql: 'sql',
  duckdb: 'sql',
  py: 'python',
  python3: 'python',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  tsx: 'typescript',
  txt: 'text',
  yml: 'yaml',
};

/** The canonical name of a language tag: `py` and `Python3` are `python`. Unknown tags stay as they are, lower case. */
export function languageName(tag: string | undefined): string {
  const name = (tag ?? '').trim().toLowerCase();
  if (name === '') return 'text';
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** What to show for a language. A tag that we do not know is shown as it is, cut at 24 characters. */
export function languageLabel(tag: string | undefined): string {
  const name = languageName(tag);
  return Object.hasOwn(labels, name) ? (labels[name] ?? name) : name.slice(0, 24);
}
