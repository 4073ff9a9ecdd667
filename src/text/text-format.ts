/** How a text is rendered. `code` has the name of a language in highlight.js. */
export type TextFormat = { kind: 'markdown' } | { kind: 'table' } | { kind: 'code'; language: string };

const LANGUAGES: Record<string, string> = {
  bash: 'bash',
  c: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  diff: 'diff',
  go: 'go',
  h: 'cpp',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  ini: 'ini',
  java: 'java',
  js: 'javascript',
  json: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  mjs: 'javascript',
  patch: 'diff',
  php: 'php',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  sql: 'sql',
  swift: 'swift',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

/** Returns the format of a text; null = it is shown as plain text. */
export function textFormat({ name, mimeType }: { name: string; mimeType: string }): TextFormat | null {
  const extension = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (mimeType === 'text/markdown' || extension === 'md') return { kind: 'markdown' };
  if (/^text\/(?:csv|tab-separated-values)$/.test(mimeType) || /^[ct]sv$/.test(extension))
    return { kind: 'table' };
  const language = Object.hasOwn(LANGUAGES, extension) ? LANGUAGES[extension] : undefined;
  return language ? { kind: 'code', language } : null;
}
