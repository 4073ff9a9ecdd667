import { HOUR, MINUTE, SECOND } from '../../clock.ts';
import type { FieldError, Problem } from '../../problem.ts';
import type { Translate } from '../../translations.ts';

/** Returns the fields with German messages. One without a translation stays in English. */
export function germanFields(fields: readonly FieldError[], translate: Translate): FieldError[] {
  return fields.map(({ path, message }) => ({ path, message: translate(message) ?? message }));
}

/**
 * Returns the German detail of a problem: the translation of its detail, or the sentence of its code if there is none.
 * @param ofCode sentence of its code, in which `{detail}` and `{wait}` are replaced
 */
export function germanDetail(problem: Problem, ofCode: string, translate: Translate): string {
  const own = translate(problem.detail);
  const sentence = own !== null && !ofCode.includes('{detail}') ? own : ofCode;
  return sentence
    .replace('{wait}', () => waitOf(problem.retryAfterMs))
    .replace('{detail}', () => own ?? detailOf(problem, translate));
}

/** Returns the detail with German messages of its fields. */
function detailOf({ detail, fields = [] }: Problem, translate: Translate): string {
  const german = germanFields(fields, translate);
  const pairs = fields.map(({ message }, index) => [message, german[index]?.message ?? message] as const);
  if (pairs.length === 0) return detail;
  // The detail does not contain the messages.
  if (!pairs.some(([message]) => detail.includes(message)))
    return german.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return pairs
    .reduce((text, [english, translated]) => text.replace(english, () => translated), detail)
    .replace(/; and (\d+) more$/, '; und $1 weitere');
}

const UNITS = [
  [HOUR, 'Stunden'],
  [MINUTE, 'Minuten'],
  [SECOND, 'Sekunden'],
] as const;

/** Returns the time to wait, rounded up as in `Retry-After`: “in 2 Minuten”. */
function waitOf(ms: number | undefined): string {
  if (ms === undefined) return 'später';
  if (ms <= SECOND) return 'in einer Sekunde';
  const [unit, name] = UNITS.find(([each]) => ms > each) ?? UNITS[2];
  return `in ${Math.ceil(ms / unit)} ${name}`;
}
