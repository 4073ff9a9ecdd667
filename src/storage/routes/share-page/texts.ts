import { inLanguages } from '../../../kernel/language.ts';

const english = {
  /** Of dates. */
  locale: 'en-GB',
  deadLink: 'This link does not work any more',
  withdrawn: 'It was revoked, or the address is incomplete.',
  askSender: 'Ask the person who sent it for a new link.',
  protectedTitle: { file: 'A protected file', link: 'A protected link' },
  isProtected: { file: 'This file is protected', link: 'This link is protected' },
  accessKey: 'Access key',
  password: 'Password',
  open: { file: 'Open the file', link: 'Open the link' },
  sharedBy: (name: string) => `Shared by ${name}`,
  size: 'Size',
  type: 'Type',
  changed: 'Changed',
  availableUntil: 'Available until',
  download: 'Download',
  openInBrowser: 'Open',
  previewOf: (name: string) => `Preview of ${name}`,
  noPdf: 'This browser cannot display a PDF within a page.',
  firstPage:
    'The first page. This browser cannot display a PDF within a page: download the file for the rest.',
  firstPart: (size: string) => `The first ${size}. Download the file for the rest.`,
  /** Names of media types, as in the web app (`src/web/texts.ts`). */
  types: {
    'application/gzip': 'GZIP archive',
    'application/msword': 'Word document',
    'application/octet-stream': 'File',
    'application/pdf': 'PDF',
    'application/vnd.ms-excel': 'Excel spreadsheet',
    'application/vnd.ms-powerpoint': 'PowerPoint presentation',
    'application/vnd.oasis.opendocument.presentation': 'OpenDocument presentation',
    'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument spreadsheet',
    'application/vnd.oasis.opendocument.text': 'OpenDocument text',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint presentation',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel spreadsheet',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
    'application/x-7z-compressed': '7-Zip archive',
    'application/zip': 'ZIP archive',
    'audio/mpeg': 'MP3 audio',
    'text/csv': 'CSV table',
    'text/markdown': 'Markdown',
    'text/plain': 'Text',
    'video/quicktime': 'QuickTime video',
    'video/x-matroska': 'Matroska video',
  } as Readonly<Record<string, string>>,
  /** Such as “MP4 video”. */
  typeOf: (kind: string, family: string) => `${kind} ${family}`,
};

/** In German, by the part of the media type before the slash. */
const FAMILIES: Readonly<Record<string, string>> = { image: 'Bild', font: 'Schrift' };

/** Texts of the pages of shared files and links. */
export const textsOf = inLanguages(english, {
  de: {
    locale: 'de',
    deadLink: 'Dieser Link funktioniert nicht mehr',
    withdrawn: 'Er wurde widerrufen, oder die Adresse ist unvollständig.',
    askSender: 'Bitten Sie die Person, die Ihnen den Link gesendet hat, um einen neuen.',
    protectedTitle: { file: 'Eine geschützte Datei', link: 'Ein geschützter Link' },
    isProtected: { file: 'Diese Datei ist geschützt', link: 'Dieser Link ist geschützt' },
    accessKey: 'Zugriffsschlüssel',
    password: 'Passwort',
    open: { file: 'Datei öffnen', link: 'Link öffnen' },
    sharedBy: (name) => `Geteilt von ${name}`,
    size: 'Größe',
    type: 'Typ',
    changed: 'Geändert',
    availableUntil: 'Verfügbar bis',
    download: 'Herunterladen',
    openInBrowser: 'Öffnen',
    previewOf: (name) => `Vorschau von ${name}`,
    noPdf: 'Dieser Browser kann PDF-Dateien nicht innerhalb einer Seite anzeigen.',
    firstPage:
      'Die erste Seite. Dieser Browser kann PDF-Dateien nicht innerhalb einer Seite anzeigen: Für den Rest ' +
      'laden Sie die Datei herunter.',
    firstPart: (size) => `Die ersten ${size}. Für den Rest laden Sie die Datei herunter.`,
    types: {
      'application/gzip': 'GZIP-Archiv',
      'application/msword': 'Word-Dokument',
      'application/octet-stream': 'Datei',
      'application/pdf': 'PDF',
      'application/vnd.ms-excel': 'Excel-Tabelle',
      'application/vnd.ms-powerpoint': 'PowerPoint-Präsentation',
      'application/vnd.oasis.opendocument.presentation': 'OpenDocument-Präsentation',
      'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument-Tabelle',
      'application/vnd.oasis.opendocument.text': 'OpenDocument-Text',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint-Präsentation',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel-Tabelle',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word-Dokument',
      'application/x-7z-compressed': '7-Zip-Archiv',
      'application/zip': 'ZIP-Archiv',
      'audio/mpeg': 'MP3-Audio',
      'text/csv': 'CSV-Tabelle',
      'text/markdown': 'Markdown',
      'text/plain': 'Text',
      'video/quicktime': 'QuickTime-Video',
      'video/x-matroska': 'Matroska-Video',
    },
    typeOf: (kind, family) =>
      `${kind}-${FAMILIES[family] ?? family.charAt(0).toUpperCase() + family.slice(1)}`,
  },
});
