import { SECOND } from '../kernel/clock.ts';
import { reasonOf } from '../kernel/errors/reason-of.ts';
import { inTime } from '../kernel/event-loop/in-time.ts';
import { withoutSecrets } from '../kernel/without-secrets.ts';

/** Result of one check. */
export interface CheckResult {
  name: string;
  ok: boolean;
  /** One line: the finding, or the fault with its remedy. */
  detail: string;
}

/** A check found a fault. The message names it and its remedy. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

const LIMIT_MS = 15 * SECOND;

/** Runs a check for at most 15 s. @param check returns its finding; any error makes the check fail */
export async function runCheck(name: string, check: () => Promise<string>): Promise<CheckResult> {
  const late = () => new CheckFailed(`No response within ${LIMIT_MS / SECOND} s.`);
  try {
    return { name, ok: true, detail: oneLine(await inTime(check(), LIMIT_MS, late)) };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: oneLine(withoutSecrets(reasonOf(error))),
    };
  }
}

/** Runs `work` and turns its errors into `CheckFailed` with `remedy` appended. */
export async function withRemedy<Result>(
  remedy: string,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CheckFailed) throw error;
    throw new CheckFailed(`${sentence(reasonOf(error))} ${remedy}`);
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
