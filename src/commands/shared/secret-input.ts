import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './cli.ts';

/** Ends the help of an option that `secretInput` reads. */
export const SECRET_HELP = '(- = one line of standard input, which other users of the machine cannot see)';

/**
 * Returns the value of an option that holds a secret: for `-` or no value, one line of standard input, without echo on
 * a terminal.
 * @throws CommandError when it is empty
 */
export async function secretInput(flag: string, given: string | undefined): Promise<string> {
  const value = given === undefined || given === '-' ? await readLine(flag) : given;
  if (value === '') throw new CommandError(`--${flag} is empty.`);
  return value;
}

async function readLine(flag: string): Promise<string> {
  if (process.stdin.isTTY) return await promptHidden(flag);
  for await (const line of console) return line.trim();
  throw new CommandError(
    `--${flag} is missing: pass it as one line of standard input, or as the value of the option.`,
  );
}

async function promptHidden(flag: string): Promise<string> {
  process.stderr.write(`${flag}: `);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await prompt.question('');
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
