import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  profile: 'Profil',
  passwordChanged: 'Passwort geändert',
  passwordText: 'Ein neues Passwort beendet alle anderen Sitzungen und löscht alle Tokens.',
  currentPassword: 'Aktuelles Passwort',
  wrongPassword: 'Das aktuelle Passwort ist falsch.',
  changePassword: 'Passwort ändern',
  sessions: 'Sitzungen',
  sessionsText: 'Melden Sie Geräte ab, die Sie nicht mehr verwenden.',
  thisBrowser: 'Dieser Browser',
  signOutOf: (name) => `${name} abmelden`,
  createToken: 'Token anlegen',
  scope: 'Berechtigung',
  days: (days) => `${days} Tage`,
  tokens: 'Persönliche Zugriffstokens',
  browserOn: (browser, system) => `${browser} unter ${system}`,
  unknownProgram: 'Unbekanntes Programm',
  tokensText:
    'Für Skripte, die Ihre Dateien verwenden. Senden Sie ein Token als „Authorization: Bearer TOKEN“. ' +
    'Tokens haben keinen Zugriff auf die Verwaltung.',
  language: 'Sprache',
  languageText: 'Für diese App, andere Seiten dieses Servers und E-Mails an Sie.',
  browserLanguage: 'Browsersprache',
};
