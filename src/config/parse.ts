import { isIP } from 'node:net';
import type { RawSettings } from './env.ts';
import type { SettingName } from './settings.ts';

/** Reads single values and gathers a sentence for every one that is wrong, so that all are told at once. */
export interface SettingsReader {
  readonly problems: string[];
  text(name: SettingName): string | null;
  integer(name: SettingName, fallback: number, range: { min: number; max: number }): number;
  boolean(name: SettingName, fallback: boolean): boolean;
  oneOf<Choice extends string>(name: SettingName, choices: readonly Choice[], fallback: Choice): Choice;
  list(name: SettingName): string[];
  url(name: SettingName, protocols: readonly string[]): URL | null;
  /** Refuses a group of settings of which only some are set. Gives true when all are. */
  together(names: readonly SettingName[], purpose: string): boolean;
  problem(sentence: string): void;
}

export function createSettingsReader(raw: RawSettings): SettingsReader {
  const problems: string[] = [];
  const text = (name: SettingName) => raw[name] ?? null;
  return {
    problems,
    text,
    integer(name, fallback, { min, max }) {
      const value = text(name);
      if (value === null) return fallback;
      const number = Number(value);
      if (/^\d+$/.test(value) && number >= min && number <= max) return number;
      problems.push(`${name} must be a whole number from ${min} to ${max}, not “${value}”.`);
      return fallback;
    },
    boolean(name, fallback) {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return fallback;
      if (value === 'true' || value === '1') return true;
      if (value === 'false' || value === '0') return false;
      problems.push(`${name} must be true or false, not “${value}”.`);
      return fallback;
    },
    oneOf(name, choices, fallback) {
      const value = text(name);
      if (value === null) return fallback;
      const found = choices.find((choice) => choice === value);
      if (found !== undefined) return found;
      problems.push(`${name} must be one of ${choices.join(', ')}, not “${value}”.`);
      return fallback;
    },
    list: (name) =>
      (text(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    url(name, protocols) {
      const value = text(name);
      if (value === null) return null;
      const url = URL.parse(value);
      // The value may hold a password, so the sentence does not repeat it.
      if (url && protocols.includes(url.protocol) && url.host) return url;
      problems.push(`${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`);
      return null;
    },
    together(names, purpose) {
      const missing = names.filter((name) => text(name) === null);
      if (missing.length === 0) return true;
      if (missing.length < names.length) {
        const given = names.filter((name) => text(name) !== null);
        problems.push(`${given.join(', ')} is set without ${missing.join(', ')}: ${purpose} needs all of them.`);
      }
      return false;
    },
    problem: (sentence) => problems.push(sentence),
  };
}

/** True for an address or a CIDR range of IPv4 or IPv6. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
