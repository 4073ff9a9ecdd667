import { showingNames } from '../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  skip: 'Überspringen',
  keepBoth: 'Beide behalten',
  replace: 'Ersetzen',
  exists: (name) => `„${name}“ gibt es bereits`,
  replaceUpload:
    'Ersetzen: Der aktuelle Inhalt wird zu einer Version, die Sie wiederherstellen können. Beide behalten: ' +
    'Die neue Datei bekommt eine Nummer.',
  replaceRestored:
    'Ersetzen: Die vorhandene Datei kommt in den Papierkorb. Beide behalten: Die wiederhergestellte ' +
    'Datei bekommt eine Nummer.',
  keepFolder: 'Beide behalten: Der neue Ordner bekommt eine Nummer.',
  existingFile: 'Vorhandene Datei',
  changed: ', geändert',
  newFile: 'Neue Datei',
  forAllFiles: 'Ebenso für alle anderen Dateien, deren Namen vergeben sind',
  forAllFolders: 'Ebenso für alle anderen Ordner, deren Namen vergeben sind',
});
