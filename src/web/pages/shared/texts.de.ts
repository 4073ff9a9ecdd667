import { showingNames } from '../../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  description: 'Links und öffentliche Dateien, die Personen ohne Konto öffnen können.',
  nothing: 'Noch nichts freigegeben',
  view: 'Ansehen',
  viewAndSend: 'Ansehen und Dateien senden',
  copyLink: (name) => `Link zu ${name} kopieren`,
  options: 'Optionen',
  linkTo: (name) => `Link zu ${name}`,
  revokeTitle: (name) => `Den Link zu „${name}“ widerrufen?`,
  becomesPrivate: 'Die Datei wird privat. Niemand kann ihre Links mehr öffnen.',
  revokeText: 'Niemand kann diesen Link mehr öffnen. Die Dateien bleiben, wo sie sind.',
  revoked: 'Link widerrufen',
  deletedFolder: 'Ein gelöschter Ordner',
  downloadsOf: (count, max) => `${count} von ${max} Downloads`,
  received: (files) => ` · ${files} erhalten`,
  neverExpires: 'Läuft nie ab',
  byName: (name) => ` · von ${name}`,
  limitReached: 'Download-Limit erreicht',
  expiresSoon: 'Läuft bald ab',
});
