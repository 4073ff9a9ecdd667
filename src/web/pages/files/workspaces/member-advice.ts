import { PosthouseError } from '../../../../client/index.ts';
import { texts } from './texts.ts';

/** Refusals of changes to members, with the remedy. */
const ADVICE: Partial<Record<string, string>> = {
  last_manager: texts.needsManager,
  unknown_account: texts.unknownAccount,
  already_member: texts.isMember,
};

/** Returns the message of a refusal with its remedy; null = another error. */
export const memberAdvice = (error: unknown): string | null =>
  (error instanceof PosthouseError ? ADVICE[error.code] : undefined) ?? null;

/** Runs `work`; a refusal is thrown as an error with its remedy. */
export async function withMemberAdvice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const advice = memberAdvice(error);
    throw advice === null ? error : new Error(advice, { cause: error });
  }
}

/** Returns the message of a refusal with its remedy, to be shown at a field of a form; null = another error. */
export function adviceAt(field: string, error: unknown): Record<string, string> | null {
  const advice = memberAdvice(error);
  return advice === null ? null : { [field]: advice };
}
