import type { Parser } from './parse.ts';
import { SETTINGS_TABLE, type SettingRow } from './table.ts';

type Table = typeof SETTINGS_TABLE;
export type SettingName = keyof Table;

export interface Setting extends SettingRow {
  name: SettingName;
  /** `data-dir` for POSTHOUSE_DATA_DIR. */
  flag: string;
}

export const SETTINGS: readonly Setting[] = (Object.keys(SETTINGS_TABLE) as SettingName[]).map((name) => ({
  ...SETTINGS_TABLE[name],
  name,
  flag: name.replace('POSTHOUSE_', '').toLowerCase().replaceAll('_', '-'),
}));

/** The parsed value of every setting. Null = not set, without a default. */
export type SettingValues = {
  [Name in SettingName]: Table[Name] extends { default: string; parse: Parser<infer Value> }
    ? Value
    : Table[Name] extends { parse: Parser<infer Value> }
      ? Value | null
      : never;
};

/** Parses every setting; `report` receives a sentence for each one that is not valid. */
export function parseSettings(
  raw: Readonly<Partial<Record<SettingName, string>>>,
  report: (sentence: string) => void,
): SettingValues {
  const values = SETTINGS.map(({ name, parse, default: text }) => {
    const fail = (predicate: string) => {
      report(`${name} ${predicate}`);
      return null;
    };
    return [name, (raw[name] && parse(raw[name], fail)) ?? (text && parse(text, () => null))];
  });
  return Object.fromEntries(values) as SettingValues;
}
