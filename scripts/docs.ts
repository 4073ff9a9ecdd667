import { join } from 'node:path';
import { defaultOf } from '../src/commands/settings-help.ts';
import { SETTING_GROUPS, SETTINGS } from '../src/config/settings.ts';
import { listErrors } from '../src/kernel/http/docs/errors.ts';
import { CODES_SHOWN, ROWS } from '../test/coverage.ts';

/** The parts of `docs/` that are made from the source, by file. Run as a program, this writes them; the tests compare. */
export const MADE: Record<string, () => string> = {
  'coverage.md': coverageTables,
  'errors.md': errorsTable,
  'settings.md': settingsTables,
};

const BEGIN = '<!-- made by scripts/docs.ts -->';
const END = '<!-- end of what is made -->';

export async function readDoc(file: string): Promise<{ before: string; made: string; after: string }> {
  const text = await Bun.file(pathOf(file)).text();
  const [begin, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  if (begin < BEGIN.length || end < begin) throw new Error(`docs/${file} has lost the marks between which it is made`);
  return { before: text.slice(0, begin), made: text.slice(begin, end).trim(), after: text.slice(end) };
}

function pathOf(file: string): string {
  return join(import.meta.dir, '../docs', file);
}

function errorsTable(): string {
  const rows = listErrors().map(({ code, status, title, remedy }) => `| \`${code}\` | ${status} | ${title} | ${remedy} |`);
  return ['| Code | Status | Title | What to do |', '|---|---|---|---|', ...rows].join('\n');
}

function settingsTables(): string {
  const tables = SETTING_GROUPS.map((group) => {
    const rows = SETTINGS.filter((setting) => setting.group === group).map(
      (setting) => `| \`${setting.name}\` | \`--${setting.flag}\` | ${setting.about} | ${code(setting.default) ?? defaultOf(setting)} |`,
    );
    return [`## ${group}`, '', '| Variable | Flag | Meaning | Default |', '|---|---|---|---|', ...rows].join('\n');
  });
  return tables.join('\n\n');
}

function coverageTables(): string {
  const table = (title: string, head: string, rows: Record<string, Record<string, readonly string[]>>) => {
    const lines = Object.entries(rows).map(([row, shown]) => {
      const tests = Object.entries(shown).map(([file, names]) => `\`${file}\`: ${names.join('; ')}`);
      return `| \`${row}\` | ${tests.join('<br>')} |`;
    });
    return [`## ${title}`, '', `| ${head} | Tests |`, '|---|---|', ...lines].join('\n');
  };
  return [...Object.entries(ROWS).map(([section, rows]) => table(section, 'Row', rows)), table('Error codes', 'Code', CODES_SHOWN)].join(
    '\n\n',
  );
}

function code(text: string | null): string | null {
  return text === null ? null : `\`${text}\``;
}

if (import.meta.main) {
  for (const [file, make] of Object.entries(MADE)) {
    const { before, after } = await readDoc(file);
    await Bun.write(pathOf(file), `${before}\n\n${make()}\n\n${after}`);
  }
}
