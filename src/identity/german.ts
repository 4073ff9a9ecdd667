import type { Translations } from '../kernel/translations.ts';

/** German messages of fields and sentences of problems. */
export const identityGerman = {
  'must be admin or user': 'muss admin oder user sein',
  'must be read or write': 'muss read oder write sein',
  'must be absent, since people sign in at the OpenID provider':
    'muss fehlen, da sich Personen beim OpenID-Anbieter anmelden',
  'cannot be set, since this person signs in at an OpenID provider':
    'kann nicht gesetzt werden, da sich diese Person bei einem OpenID-Anbieter anmeldet',
  'requires the service mail, which this server does not run':
    'benötigt den Dienst mail, der auf diesem Server nicht läuft',
  'must be a path on this server with at most {} characters':
    'muss ein Pfad auf diesem Server sein und darf höchstens {} Zeichen haben',
  'The e-mail cannot be sent: it requires the service mail, which this server does not run.':
    'Die E-Mail kann nicht gesendet werden: Sie benötigt den Dienst mail, der auf diesem Server nicht läuft.',
  'The query may have at most {} parameters, and each only once.':
    'Die Abfrage darf höchstens {} Parameter haben, jeden nur einmal.',
  'The password was changed, or the session ended, during the sign-in. Try again.':
    'Während der Anmeldung wurde das Passwort geändert, oder die Sitzung endete. Versuchen Sie es erneut.',
  'The limit of {} tokens per account is reached.':
    'Dieses Konto hat bereits {} Zugriffstokens. Löschen Sie, was nicht mehr gebraucht wird.',
} as const satisfies Translations;
