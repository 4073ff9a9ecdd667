import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Prints the result of a command: `answer` on one line with `--json`, `text` without. */
export function print(
  command: Pick<CommandUnknownOpts, 'getOptionValue' | 'configureOutput'>,
  answer: object,
  text: string,
): void {
  const { writeOut } = command.configureOutput();
  writeOut?.(`${command.getOptionValue('json') ? JSON.stringify(answer) : text}\n`);
}

/** Prints a list: `answer` with `--json`, else `rows` in columns as wide as their widest cell, or `empty`. */
export function printList(
  command: Parameters<typeof print>[0],
  answer: object,
  rows: readonly (readonly string[])[],
  empty: string,
): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  print(command, answer, lines.map((line) => line.trimEnd()).join('\n') || empty);
}
