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
