import { SECOND } from '../kernel/clock.ts';
import { reasonOf } from '../kernel/errors/reason-of.ts';
import { inTime } from '../kernel/event-loop/in-time.ts';
import { withoutSecrets } from '../kernel/without-secrets.ts';

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
/** Time limit of work with a remedy, which ends before the whole check, so that the error has the remedy. */
const WORK_LIMIT_MS = 14 * SECOND;

/** Runs a check for at most 15 s. @param check returns its finding; any error makes the check fail */
export async function runCheck(name: string, check: () => Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: oneLine(await inTime(check(), LIMIT_MS, () => late(LIMIT_MS))) };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: oneLine(withoutSecrets(reasonOf(error))),
    };
  }
}

/** Runs `work` for at most 14 s, and turns its errors into `CheckFailed` with `remedy` appended. */
export async function withRemedy<Result>(
  remedy: string,
  work: () => Promise<Result> | Result,
  limitMs = WORK_LIMIT_MS,
): Promise<Result> {
  try {
    const result = work();
    return result instanceof Promise ? await inTime(result, limitMs, () => late(limitMs)) : result;
  } catch (error) {
    if (error instanceof CheckFailed) throw error;
    throw new CheckFailed(`${sentence(reasonOf(error))} ${remedy}`);
  }
}

const late = (limitMs: number) => new Error(`No response within ${limitMs / SECOND} s.`);

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
