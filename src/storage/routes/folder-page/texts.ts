import { inLanguages } from '../../../kernel/language.ts';

const english = {
  downloadAll: 'Download all',
  availableUntil: 'Available until',
  oneHidden: 'One protected file is not shown.',
  failedPicture: 'The picture cannot be shown. It may be damaged.',
  hidden: (count: number) => `${count} protected files are not shown.`,
  empty: 'There are no files here.',
  nextPage: 'Next page',
  sendFiles: 'Send files',
  foldersAbove: 'Folders above',
  folders: 'Folders',
  pictures: 'Pictures',
  files: 'Files',
  download: 'Download',
  downloadNamed: (name: string) => `Download ${name}`,
  sharedFiles: 'Shared files',
  yourName: 'Your name (optional)',
  /** Texts about the people who can see the files of a visitor, by the access of the link. */
  audience: {
    upload: 'Other visitors of this link do not see your files.',
    both: 'Everyone who has this link sees your files.',
  },
  full: 'This link accepts no more files.',
  thanks: 'Thank you',
  arrived: 'Your files have arrived.',
  sendMore: 'Send more files',
  notAccepted: (count: number): string => (count === 1 ? 'File not accepted' : 'Files not accepted'),
};

/** Texts of the pages of links to folders, and of those that accept files. */
export const textsOf = inLanguages(english, {
  de: {
    downloadAll: 'Alles herunterladen',
    availableUntil: 'Verfügbar bis',
    oneHidden: 'Eine geschützte Datei wird nicht angezeigt.',
    failedPicture: 'Das Bild kann nicht angezeigt werden. Es ist vielleicht beschädigt.',
    hidden: (count) => `${count} geschützte Dateien werden nicht angezeigt.`,
    empty: 'Hier sind keine Dateien.',
    nextPage: 'Nächste Seite',
    sendFiles: 'Dateien senden',
    foldersAbove: 'Übergeordnete Ordner',
    folders: 'Ordner',
    pictures: 'Bilder',
    files: 'Dateien',
    download: 'Herunterladen',
    downloadNamed: (name) => `${name} herunterladen`,
    sharedFiles: 'Geteilte Dateien',
    yourName: 'Ihr Name (optional)',
    audience: {
      upload: 'Andere Besucher dieses Links sehen Ihre Dateien nicht.',
      both: 'Alle, die diesen Link haben, sehen Ihre Dateien.',
    },
    full: 'Dieser Link nimmt keine weiteren Dateien an.',
    thanks: 'Danke',
    arrived: 'Ihre Dateien sind angekommen.',
    sendMore: 'Weitere Dateien senden',
    notAccepted: (count) => (count === 1 ? 'Datei nicht angenommen' : 'Dateien nicht angenommen'),
  },
});
