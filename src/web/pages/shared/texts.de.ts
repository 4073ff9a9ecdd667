import { showingNames } from '../../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  shared: 'Freigaben',
  description: 'Links und öffentliche Dateien, die Personen ohne Konto öffnen können.',
  nothing: 'Noch nichts freigegeben',
  nothingText:
    'Wählen Sie „Teilen“ im Menü eines Ordners oder ausgewählter Dateien, um einen Link zu erstellen.',
  showMore: 'Mehr zeigen',
  view: 'Ansicht',
  sendFiles: 'Dateien senden',
  viewAndSend: 'Dateien ansehen und senden',
  password: 'Passwort',
  copyLink: (name) => `Link zu ${name} kopieren`,
  options: 'Optionen',
  linkTo: (name) => `Link zu ${name}`,
  revoke: 'Widerrufen',
  revokeTitle: (name) => `Den Link zu „${name}“ widerrufen?`,
  becomesPrivate: 'Die Datei wird privat. Niemand kann ihre Links mehr öffnen.',
  revokeText: 'Niemand kann diesen Link mehr öffnen. Die Dateien bleiben, wo sie sind.',
  revoked: 'Link widerrufen',
  public: 'Öffentlich',
  accessKey: 'Zugriffsschlüssel',
  deletedFolder: 'Ein gelöschter Ordner',
  downloadsOf: (count, max) => `${count} von ${max} Downloads`,
  received: (files) => ` · ${files} erhalten`,
  neverExpires: 'Läuft nie ab',
  expires: 'Läuft ab',
  byName: (name) => ` · von ${name}`,
  expired: 'Abgelaufen',
  limitReached: 'Download-Limit erreicht',
  expiresSoon: 'Läuft bald ab',
});
