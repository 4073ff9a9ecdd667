import { showingNames } from '../../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  title: 'Geteilte Dateien hochladen',
  received: (files, bytes) =>
    `${files} (${bytes}). Entfernen Sie, was Sie nicht geteilt haben, und wählen Sie einen Ordner.`,
  files: 'Geteilte Dateien',
  remove: (name) => `${name} entfernen`,
  full: (count) =>
    `Höchstens ${count} Dateien können warten. Teilen Sie die übrigen, wenn diese hochgeladen sind.`,
  discard: 'Verwerfen',
  uploadTo: (folder) => `In „${folder}“ hochladen`,
  nothing: 'Nichts zum Hochladen',
  nothingText:
    'Installieren Sie Posthouse auf Ihrem Telefon, und teilen Sie Bilder aus einer anderen App damit. ' +
    'Die Bilder erscheinen dann hier.',
});
