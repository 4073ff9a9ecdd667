import { SETTINGS, type Setting } from '../../config/settings.ts';
import { SETTING_GROUPS } from '../../config/table.ts';

const INDENT = '      ';

/** Every setting with its flag, name, default and meaning, by group, for a terminal `width` characters wide. */
export function settingsHelp(width: number): string {
  const groups = SETTING_GROUPS.map((group) => {
    const own = SETTINGS.filter((setting) => setting.group === group);
    return [`${group}:`, ...own.map((setting) => describeSetting(setting, width))].join('\n');
  });
  return [
    '',
    'Every setting is a flag or an environment variable (the flag takes precedence). Keep secrets in the',
    'environment: other users of the machine can see flags.',
    '',
    groups.join('\n\n'),
  ].join('\n');
}

function describeSetting(setting: Setting, width: number): string {
  return [
    `  --${setting.flag}  ${setting.name}`,
    ...wrap(`${setting.about}. Default: ${defaultOf(setting)}.`, width),
  ].join('\n');
}

/** Describes the default of a setting. */
export function defaultOf({ default: value, unset }: Setting): string {
  if (value !== null) return value;
  return unset === undefined ? 'none' : `none (${unset})`;
}

function wrap(text: string, width: number): string[] {
  const limit = Math.max(40, Math.min(width, 110)) - INDENT.length;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + word.length >= limit) {
      lines.push(INDENT + line);
      line = word;
    } else line += (line && ' ') + word;
  }
  return [...lines, INDENT + line];
}
