import type { TypeNames } from './type-names.ts';

export const typeNames: TypeNames = {
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
  families: { image: 'Bild', video: 'Video', audio: 'Audio', text: 'Text', font: 'Schrift' },
  typeOf: (kind, family) => `${kind}-${family}`,
};
