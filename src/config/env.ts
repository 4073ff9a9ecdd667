import { SETTINGS, type SettingName } from './settings.ts';

/** What was set, as text. An empty value counts as not set. */
export type RawSettings = Partial<Record<SettingName, string>>;

/**
 * Step one of three: collects the settings, a flag before the environment. The only reader of the environment.
 * @param flags values by flag name (`data-dir`)
 */
export function readSettings(flags: Readonly<Record<string, string | undefined>> = {}, environment = process.env): RawSettings {
  const raw: RawSettings = {};
  for (const { name, flag } of SETTINGS) {
    const value = (flags[flag] ?? environment[name])?.trim();
    if (value) raw[name] = value;
  }
  return raw;
}

const PREFIX = 'POSTHOUSE_';
/** Names like `POSTHOUSE_SMPT_URL` pass for a setting but are none; a mail server would then quietly stay unused. */
const CLOSE = 3;

/** A sentence for every variable of the environment that is nearly the name of a setting. */
export function misspeltSettings(environment = process.env): string[] {
  const known: readonly string[] = SETTINGS.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith(PREFIX) || known.includes(name)) return [];
    const [nearest] = known.map((meant) => ({ meant, by: distance(name, meant) })).sort((a, b) => a.by - b.by);
    return nearest && nearest.by <= CLOSE ? [`${name} is not a setting; ${nearest.meant} is.`] : [];
  });
}

/** How many letters must be added, taken away or changed to make `b` of `a` (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
