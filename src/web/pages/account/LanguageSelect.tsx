import { NativeSelect } from '@mantine/core';
import { changeAccount } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { attempt } from '../../components/notify.tsx';
import { optionsOf } from '../../components/options.ts';
import { texts } from './texts.ts';

/** Each language by its own name, for those who do not read the present one. */
const LANGUAGES = { '': texts.browserLanguage, en: 'English', de: 'Deutsch' };

/** Chooses the language, and loads the app in it. */
export function LanguageSelect({ language }: Pick<Me, 'language'>) {
  async function choose(value: string) {
    if (await attempt(() => changeAccount({ language: value === '' ? null : (value as 'en' | 'de') })))
      location.reload();
  }
  return (
    <NativeSelect
      aria-label={texts.language}
      description={texts.languageText}
      value={language ?? ''}
      onChange={({ currentTarget }) => void choose(currentTarget.value)}
      data={optionsOf(LANGUAGES)}
    />
  );
}
