import { type Config, ConfigError } from '../config/config.ts';
import { misspeltSettings } from '../config/env.ts';
import type { Secrets } from '../config/secrets.ts';
import { examineAll } from '../doctor/doctor.ts';
import type { Part } from '../doctor/part.ts';
import { configOf, createCommand, print } from './command.ts';

/** `posthouse doctor`: exit status 1 when something is wrong. */
export function doctorCommand() {
  const command = createCommand('doctor', 'try every part and say what is wrong and what to do').action(async () => {
    const parts = await examineSettings(() => configOf(command));
    const ok = parts.every((part) => part.ok);
    print(command, { ok, parts }, render(parts));
    process.exitCode = ok ? 0 : 1;
  });
  return command;
}

async function examineSettings(read: () => { config: Config; secrets: Secrets }): Promise<Part[]> {
  try {
    const { config, secrets } = read();
    const detail = ['Complete and understood.', ...misspeltSettings()].join(' ');
    return [{ name: 'settings', ok: true, detail }, ...(await examineAll(config, secrets))];
  } catch (error) {
    if (error instanceof ConfigError) return [{ name: 'settings', ok: false, detail: error.problems.join(' ') }];
    throw error;
  }
}

function render(parts: readonly Part[]): string {
  const width = Math.max(...parts.map(({ name }) => name.length));
  const lines = parts.map(({ name, ok, detail }) => `${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${detail}`);
  const wrong = parts.filter(({ ok }) => !ok).length;
  return [...lines, '', wrong === 0 ? 'Everything is well.' : `${wrong} of ${parts.length} parts need care.`].join('\n');
}
