import { typeNames } from '../text/type-names.de.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  close: 'Schließen',
  create: 'Anlegen',
  save: 'Speichern',
  cancel: 'Abbrechen',
  deleteClient: (name) => `Client „${name}“ löschen?`,
  newClient: 'Neuer Client',
  request: 'Anfrage',
  requestFor: (name) => `Anfrage für ${name}`,
  commandLine: 'Über die Befehlszeile',
  hello: 'Hallo',
  testMessage: 'Eine Testnachricht von Posthouse.',
  botToken: 'Bot-Token',
  togglePassword: 'Passwort anzeigen oder verbergen',
  share: 'Teilen',
  shareAndDetails: 'Teilen und Details',
  shareHint: (share, details) =>
    `Um einen Link zu erstellen, wählen Sie „${share}“ im Menü eines Ordners oder mehrerer Dateien, oder ` +
    `„${details}“ im Menü einer Datei.`,
  nouns: {
    attempt: { one: 'Versuch', other: 'Versuche' },
    item: { one: 'Objekt', other: 'Objekte' },
    channel: { one: 'Kanal', other: 'Kanäle' },
    time: { one: 'Mal', other: 'Mal' },
    download: { one: 'Download', other: 'Downloads' },
    file: { one: 'Datei', other: 'Dateien' },
    folder: { one: 'Ordner', other: 'Ordner' },
    picture: { one: 'Bild', other: 'Bilder' },
    media: { one: 'Bild oder Video', other: 'Bilder und Videos' },
    server: { one: 'Server', other: 'Server' },
    message: { one: 'Nachricht', other: 'Nachrichten' },
    link: { one: 'Link', other: 'Links' },
    workspace: { one: 'Arbeitsbereich', other: 'Arbeitsbereiche' },
  },
  daysLeft: (days) => `noch ${days} Tage`,
  lessThanADayLeft: 'weniger als ein Tag',
  typeNames,
};
