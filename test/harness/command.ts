import { runCommandLine } from '../../src/commands/run.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { COMMANDS } from '../../src/main.ts';

// Commands in this process take their settings from flags only, never from a developer's environment.
for (const { name } of SETTINGS) delete process.env[name];

export interface CommandResult {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a command, in this process, with the settings of a server (which may be running). Not for `serve`. */
export async function runCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<CommandResult> {
  let [stdout, stderr] = ['', ''];
  const ok = await runCommandLine(COMMANDS, [...words, ...flagsOf(settings, words)], {
    writeOut(text) {
      stdout += text;
    },
    writeErr(text) {
      stderr += text;
    },
  });
  return { status: ok ? 0 : 1, stdout, stderr };
}

/** Returns settings as flags. `mail-client` defines flags with the names of two settings, which are left out. */
function flagsOf(settings: Record<string, string>, [command]: readonly string[]): string[] {
  const own = command === 'mail-client' ? ['services', 'telegram-token'] : [];
  return SETTINGS.filter(({ name, flag }) => settings[name] !== undefined && !own.includes(flag)).map(
    ({ name, flag }) => `--${flag}=${settings[name]}`,
  );
}

/** Runs a command with `--json`; returns the object that it prints. @throws Error when it fails */
export async function runJson<Answer>(settings: Record<string, string>, ...words: string[]): Promise<Answer> {
  const { status, stdout } = await runCommand(settings, ...words, '--json');
  if (status !== 0) throw new Error(`posthouse ${words.join(' ')} failed: ${stdout}`);
  return JSON.parse(stdout) as Answer;
}
