import { NativeSelect } from '@mantine/core';
import { changeAccount } from '../../api/account.ts';
import type { Me } from '../../api/session.ts';
import { LANGUAGES, type Language } from '../../components/languages.ts';
import { attempt } from '../../components/notify.tsx';
import { optionsOf } from '../../components/options.ts';
import { texts } from './texts.ts';

const CHOICES = { '': texts.browserLanguage, ...LANGUAGES };

/** Selects the language of the account, and reloads the app in it. */
export function LanguageSelect({ language }: Pick<Me, 'language'>) {
  async function choose(value: string) {
    if (await attempt(() => changeAccount({ language: value === '' ? null : (value as Language) })))
      location.reload();
  }
  return (
    <NativeSelect
      maw={380}
      aria-label={texts.language}
      description={texts.languageText}
      value={language ?? ''}
      onChange={({ currentTarget }) => void choose(currentTarget.value)}
      data={optionsOf(CHOICES)}
    />
  );
}
