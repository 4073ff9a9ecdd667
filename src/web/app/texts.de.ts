import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  failedText: 'Diese Seite kann wegen eines Fehlers in Posthouse nicht angezeigt werden.',
  reload: 'Seite neu laden',
  closeMenu: 'Menü schließen',
  search: 'Suchen',
  administration: 'Verwaltung',
  outage: 'Der Server ist nicht erreichbar. Neuer Versuch …',
  adminsOnly: 'Nur für Administratoren',
  adminsOnlyText: 'Ihr Konto hat keinen Zugriff auf diese Seite.',
  notFound: 'Seite nicht gefunden',
  notFoundText: 'Die Adresse ist falsch geschrieben, oder es gibt die Seite nicht mehr.',
  light: 'Hell',
  dark: 'Dunkel',
  system: 'System',
  scheme: 'Farbschema',
  skip: 'Zum Inhalt springen',
  openMenu: 'Menü öffnen',
  sessionEnded: 'Ihre Sitzung wurde beendet',
  sessionEndedText: 'Melden Sie sich wieder an, um zu dieser Seite zurückzukehren.',
  draftKept:
    'Melden Sie sich wieder an. Nicht gespeicherte Änderungen sind wieder da, sobald Sie das Formular öffnen.',
  signIn: 'Anmelden',
};
