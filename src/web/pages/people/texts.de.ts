import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  created: (email) => `Konto ${email} angelegt`,
  invite: 'Einladen',
  nameOptional: 'Name (optional)',
  sendInvitation: 'Einladung per E-Mail senden',
  noMailServer: 'Es ist kein Mailserver eingerichtet. Die E-Mail wird nicht zugestellt.',
  description: 'Konten, die sich anmelden können, und ihre Rollen.',
  accounts: 'Konten',
  passwordLinkFor: (person) => `Passwort-Link für ${person}`,
  passwordLinkText:
    'Senden Sie der Person diesen Link, mit dem sie ein Passwort festlegt. Er kann einmal verwendet werden ' +
    'und ist sieben Tage gültig. Er wird nur jetzt angezeigt.',
  invited: 'Eingeladen',
  lastSignedIn: 'Zuletzt angemeldet',
  neverSignedIn: 'Nie angemeldet',
  roleOf: (name) => `Rolle von ${name}`,
  createLink: 'Passwort-Link erstellen',
  mailLink: 'Passwort-Link per E-Mail senden',
  mailInvitation: 'Einladung per E-Mail senden',
  disableTitle: (name) => `${name} deaktivieren?`,
  disableText: 'Alle Sitzungen und Tokens dieses Kontos enden sofort. Dateien und Freigaben bleiben.',
  sent: (email) => `E-Mail an ${email} gesendet`,
  willRetry: (email) => `Die E-Mail an ${email} ist gespeichert. Posthouse versucht es erneut.`,
  inSandbox: 'Die E-Mail ist in der Sandbox gespeichert, die nichts zustellt.',
  notSent: (email, reason) => `Die E-Mail an ${email} wurde nicht gesendet: ${reason}`,
};
