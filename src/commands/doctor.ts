import { type Config, ConfigError } from '../config/config.ts';
import { misspeltSettings } from '../config/env.ts';
import type { Secrets } from '../config/secrets.ts';
import type { CheckResult } from '../doctor/check.ts';
import { runChecks } from '../doctor/doctor.ts';
import { BadResult, configOf, createCommand } from './shared/cli.ts';
import { print } from './shared/output.ts';

/** `posthouse doctor`: exit status 1 when a check fails. */
export function defineCommand(about: string) {
  const command = createCommand('doctor', about).action(async () => {
    const results = await checkSettings(() => configOf(command));
    const ok = results.every((result) => result.ok);
    print(command, { ok, parts: results }, render(results));
    if (!ok) throw new BadResult();
  });
  return command;
}

async function checkSettings(read: () => { config: Config; secrets: Secrets }): Promise<CheckResult[]> {
  try {
    const { config, secrets } = read();
    const detail = ['Complete and valid.', ...misspeltSettings()].join(' ');
    return [{ name: 'settings', ok: true, detail }, ...(await runChecks(config, secrets))];
  } catch (error) {
    if (error instanceof ConfigError)
      return [{ name: 'settings', ok: false, detail: error.problems.join(' ') }];
    throw error;
  }
}

function render(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.map(
    ({ name, ok, detail }) => `${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}  ${detail}`,
  );
  const wrong = results.filter(({ ok }) => !ok).length;
  return [
    ...lines,
    '',
    wrong === 0 ? 'All checks passed.' : `${wrong} of ${results.length} checks failed.`,
  ].join('\n');
}
