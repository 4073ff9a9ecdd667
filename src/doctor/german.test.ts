import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync } from 'oxc-parser';
import { doctorGerman, resultsIn } from './german.ts';

const SRC = join(import.meta.dir, '..');
/** Three words of a sentence, or a short one. */
const WORDS = /\p{L}+,? \p{L}+,? \p{L}+|^\p{Lu}.* .*\.$/u;
/** Queries, the content of a file for the test, a header field, and warnings that no check returns. */
const OTHER =
  /^(?:\s*select |written by |attachment;|POSTHOUSE_METRICS_TOKEN| can be guessed|: set it to| random characters)/;

/** Returns the texts of a file, without the values of their expressions. */
function fragmentsOf(path: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
    if (node.type === 'TemplateElement') found.push(node.value.cooked ?? '');
    for (const child of Object.values(node).flat())
      if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node);
  };
  visit(parseSync(path, readFileSync(path, 'utf8')).program);
  return found.filter((text) => WORDS.test(text) && !OTHER.test(text));
}

test('every text of a check is translated', () => {
  const paths = [...new Bun.Glob('doctor/**/*.ts').scanSync(SRC)].filter((path) => !/german|test/.test(path));
  const fragments = [...paths, 'config/warnings.ts'].flatMap((path) => fragmentsOf(join(SRC, path)));
  expect(fragments.length).toBeGreaterThan(50);
  const english = Object.keys(doctorGerman);
  expect(fragments.filter((text) => !english.some((key) => key.includes(text.trim())))).toEqual([]);
});

test('a German text has the values of the English one', () => {
  for (const [english, german] of Object.entries(doctorGerman))
    expect([english, german.split('{}').length]).toEqual([english, english.split('{}').length]);
});

test.each([
  [
    'SQLite 3.54.1, schema up to date; responds in 0.2 ms.',
    'SQLite 3.54.1, Schema aktuell; antwortet in 0,2 ms.',
  ],
  [
    'PostgreSQL 18.0, encrypted with TLSv1.3, 2 migrations will run at the next start; responds in 1.0 ms.',
    'PostgreSQL 18.0, verschlüsselt mit TLSv1.3, 2 Migrationen laufen beim nächsten Start; antwortet in 1,0 ms.',
  ],
  [
    'https://a.example responds. https://b.example responds.',
    'https://a.example antwortet. https://b.example antwortet.',
  ],
  [
    'connect ECONNREFUSED 127.0.0.1:1. Check POSTHOUSE_OIDC_ISSUER; nobody can sign in until the provider responds.',
    'connect ECONNREFUSED 127.0.0.1:1. Prüfen Sie POSTHOUSE_OIDC_ISSUER; niemand kann sich anmelden, bis der ' +
      'Anbieter antwortet.',
  ],
  [
    'mx.example:587 responds (STARTTLS when offered, certificate not verified); e-mails are sent from a@b.example.',
    'mx.example:587 antwortet (STARTTLS, wenn angeboten, Zertifikat nicht geprüft); E-Mails werden von a@b.example ' +
      'gesendet.',
  ],
  ['storage, chat.', 'storage, chat.'],
  ['/data/1.5 is writable; 21.9 GiB free.', '/data/1.5 ist beschreibbar; 21,9 GiB frei.'],
  ['/data is writable; 1,234 TiB free.', '/data ist beschreibbar; 1.234 TiB frei.'],
  [
    'This machine is 12.5 s ahead of the database: synchronize both clocks by NTP.',
    'Dieser Rechner geht gegenüber der Datenbank 12,5 s vor: Gleichen Sie beide Uhren mit NTP ab.',
  ],
  [
    '2026-11-23T18:02:57.485Z; there is no other clock to compare.',
    '23.11.2026, 18:02:57 UTC; es gibt keine andere Uhr zum Vergleich.',
  ],
  ['timeout of 1.5 s', 'timeout of 1.5 s'],
])('%p is %p in German', (english, german) => {
  const result = { name: 'a', ok: true, detail: english };
  expect(resultsIn([result], 'de')).toEqual([{ ...result, detail: german }]);
  expect(resultsIn([result], 'en')).toEqual([result]);
});
