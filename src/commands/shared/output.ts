import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Prints the result of a command: `result` on one line with `--json`, `text` without. */
export function print(
  command: Pick<CommandUnknownOpts, 'getOptionValue' | 'configureOutput'>,
  result: object,
  text: string,
): void {
  const { writeOut } = command.configureOutput();
  writeOut?.(`${command.getOptionValue('json') ? JSON.stringify(result) : text}\n`);
}

/** Prints a list: `result` with `--json`, else `rows` in columns as wide as their widest cell, or `empty`. */
export function printList(
  command: Parameters<typeof print>[0],
  result: object,
  rows: readonly (readonly string[])[],
  empty: string,
): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  print(command, result, lines.map((line) => line.trimEnd()).join('\n') || empty);
}
