import type { Language } from '../../../kernel/language.ts';

/** Numbers of the files that a visitor has sent. */
export interface Sent {
  all: number;
  arrived: number;
}

const english = ({ all, arrived }: Sent): string => {
  if (arrived === all) return all === 1 ? 'Your file has arrived.' : `Your ${all} files have arrived.`;
  if (arrived === 0)
    return all === 1 ? 'Your file was not accepted.' : `None of your ${all} files was accepted.`;
  const missing = all - arrived;
  return `${arrived} of your ${all} files arrived, ${missing} ${missing === 1 ? 'was' : 'were'} not accepted.`;
};

const german = ({ all, arrived }: Sent): string => {
  if (arrived === all)
    return all === 1 ? 'Ihre Datei ist angekommen.' : `Ihre ${all} Dateien sind angekommen.`;
  if (arrived === 0)
    return all === 1 ? 'Ihre Datei wurde nicht angenommen.' : `Keine Ihrer ${all} Dateien wurde angenommen.`;
  const missing = all - arrived;
  const some = arrived === 1 ? `Eine Ihrer ${all} Dateien ist` : `${arrived} Ihrer ${all} Dateien sind`;
  return `${some} angekommen, ${missing === 1 ? 'eine wurde' : `${missing} wurden`} nicht angenommen.`;
};

/** Returns a sentence about the files that have arrived. Page and script share it. */
export const outcomeOf = (language: Language, sent: Sent): string =>
  (language === 'de' ? german : english)(sent);
