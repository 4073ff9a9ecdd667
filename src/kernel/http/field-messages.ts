import type { Language } from '../language.ts';
import type { FieldError } from '../problem.ts';

/** German messages by the English ones; `$1` is the first group. */
const GERMAN: readonly (readonly [english: RegExp, german: string])[] = [
  [/^is required$/, 'wird benötigt'],
  [/^is not valid$/, 'ist nicht gültig'],
  [/^was not accepted$/, 'wurde nicht angenommen'],
  [/^does not have the required form$/, 'hat nicht die verlangte Form'],
  [/^must not be (?:empty|null)$/, 'darf nicht leer sein'],
  [/^must not be empty for a public file$/, 'darf bei einer öffentlichen Datei nicht leer sein'],
  [/^must appear only once$/, 'darf nur einmal vorkommen'],
  [/^must not contain control characters$/, 'darf keine Steuerzeichen enthalten'],
  [
    /^must not contain line breaks or control characters$/,
    'darf keine Zeilenumbrüche oder Steuerzeichen enthalten',
  ],
  [/^must not contain \/ or \\$/, 'darf kein / oder \\ enthalten'],
  [/^must be a name, not blank, “\.” or “\.\.”$/, 'muss ein Name sein, nicht leer, „.“ oder „..“'],
  [/^must have at least (\d+) characters?$/, 'muss mindestens $1 Zeichen haben'],
  [/^must have at most (\d+) characters?$/, 'darf höchstens $1 Zeichen haben'],
  [/^must have at most (\d+) bytes(?: in UTF-8)?$/, 'darf höchstens $1 Bytes haben (UTF-8)'],
  [/^must have at least (\d+) items?$/, 'muss mindestens $1 Einträge haben'],
  [/^must have at most (\d+) (?:items?|addresses|entries|fields)$/, 'darf höchstens $1 Einträge haben'],
  [/^must be at least (\d+)$/, 'muss mindestens $1 sein'],
  [/^must be at most (\d+)$/, 'darf höchstens $1 sein'],
  [/^must be an e-mail address$/, 'muss eine E-Mail-Adresse sein'],
  [/^must be a host name or an address$/, 'muss ein Hostname oder eine Adresse sein'],
  [/^must be an http or https URL$/, 'muss eine http- oder https-URL sein'],
  [
    /^must be an https URL, or http on a loopback address$/,
    'muss eine https-URL sein, oder http auf einer Loopback-Adresse',
  ],
  [/^must be a URL$/, 'muss eine URL sein'],
  [/^must be an id \(GUID\)$|^must be a GUID$/, 'muss eine ID (GUID) sein'],
  [/^must be an ISO 8601 time/, 'muss ein Zeitpunkt nach ISO 8601 sein, wie 2026-01-31T12:00:00Z'],
  [/^must be in the future$/, 'muss in der Zukunft liegen'],
  [/^must be a string$/, 'muss ein Text sein'],
  [/^must be a number$/, 'muss eine Zahl sein'],
  [/^must be a whole number$/, 'muss eine ganze Zahl sein'],
  [/^must be true or false$/, 'muss true oder false sein'],
  [/^must be an array$/, 'muss eine Liste sein'],
  [/^must be an object$/, 'muss ein Objekt sein'],
  [
    /^must be (?:one of )?([\w-]+(?:, [\w-]+)* or [\w-]+|[\w-]+(?:, [\w-]+)+)$/,
    'muss einer dieser Werte sein: $1',
  ],
];

/** Returns messages in the language of the reader. One without a translation stays in English. */
export function fieldsIn(fields: readonly FieldError[], language: Language): FieldError[] {
  return fields.map(({ path, message }) => ({
    path,
    message: { en: message, de: germanOf(message) }[language],
  }));
}

function germanOf(message: string): string {
  const [english, german] = GERMAN.find(([pattern]) => pattern.test(message)) ?? [];
  return english && german ? message.replace(english, german) : message;
}
