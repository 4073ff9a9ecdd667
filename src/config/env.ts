import { editDistance } from '../kernel/edit-distance.ts';
import { SETTINGS, type SettingName } from './settings.ts';

/** The settings that are set, as text. An empty value counts as not set. */
export type RawSettings = Partial<Record<SettingName, string>>;

/**
 * Collects the settings. A flag takes precedence over the environment. The only reader of the environment.
 * @param flags values by flag name (`data-dir`)
 */
export function readSettings(
  flags: Readonly<Record<string, string | undefined>> = {},
  environment = process.env,
): RawSettings {
  const raw: RawSettings = {};
  for (const { name, flag } of SETTINGS) {
    const value = (flags[flag] ?? environment[name])?.trim();
    if (value) raw[name] = value;
  }
  return raw;
}

const PREFIX = 'POSTHOUSE_';
/** Largest edit distance of a misspelling: without a warning, `POSTHOUSE_SMPT_URL` would have no effect. */
const CLOSE = 3;

/** Returns a sentence for every variable of the environment whose name is close to that of a setting. */
export function misspeltSettings(environment = process.env): string[] {
  const known: readonly string[] = SETTINGS.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith(PREFIX) || known.includes(name)) return [];
    const [nearest] = known
      .map((meant) => ({ meant, by: editDistance(name, meant) }))
      .sort((a, b) => a.by - b.by);
    return nearest && nearest.by <= CLOSE ? [`${name} is not a setting; ${nearest.meant} is.`] : [];
  });
}
