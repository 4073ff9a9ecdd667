import { showingNames } from '../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  uploads: 'Uploads',
  progressAll: 'Fortschritt aller Uploads',
  notUploaded: (count) =>
    count === 1 ? '1 Datei wurde nicht hochgeladen' : `${count} Dateien wurden nicht hochgeladen`,
  sentOf: (sent, total) => `${sent} von ${total}`,
  collapse: 'Liste einklappen',
  expand: 'Liste ausklappen',
  pauseAll: 'Alle anhalten',
  resumeAll: 'Alle fortsetzen',
  cancelAll: 'Alle abbrechen',
  uploadedAll: (count) => `${count} hochgeladen`,
  uploading: (number, all) => `Datei ${number} von ${all} wird hochgeladen`,
  progressOf: (name) => `Fortschritt von ${name}`,
  pause: (name) => `${name} anhalten`,
  resume: (name) => `${name} fortsetzen`,
  retry: (name) => `${name} erneut versuchen`,
  removeFromList: (name) => `${name} aus der Liste entfernen`,
  cancel: (name) => `${name} abbrechen`,
  uploaded: (size) => `Hochgeladen · ${size}`,
  paused: (size) => `Angehalten · ${size}`,
  waiting: (size) => `Wartet · ${size}`,
  tooLarge: (size, limit) => `${size} überschreiten das Limit von ${limit}.`,
  unreadable: 'Die Datei kann nicht mehr gelesen werden. Sie wurde vielleicht verschoben oder geändert.',
  noResponse: 'Der Server antwortet nicht. Der Upload wird automatisch erneut versucht.',
  waitingForChoice: 'Der Name ist vergeben. Wartet auf Ihre Entscheidung.',
});
