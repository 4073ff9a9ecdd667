import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  startTlsRequired: 'STARTTLS (verlangt)',
  tls: 'TLS',
  startTlsOffered: 'STARTTLS (wenn angeboten)',
  chatEdit: 'Chat-Änderung',
  waiting: 'Wartet',
  sent: 'Gesendet',
  unknown: 'Unbekannt',
  cancelled: 'Abgebrochen',
  user: 'Benutzer',
  administrator: 'Administrator',
  readOnly: 'Nur lesen',
  readWrite: 'Lesen und schreiben',
  images: 'Bilder',
  videos: 'Videos',
  audio: 'Audio',
  documents: 'Dokumente',
  archives: 'Archive',
  otherFiles: 'Andere Dateien',
  viewer: 'Betrachter',
  editor: 'Bearbeiter',
};
