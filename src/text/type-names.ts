/** Names of media types in a language. */
export interface TypeNames {
  /** By media type. */
  types: Readonly<Record<string, string>>;
  /** Nouns of the other media types, by the part before the slash. */
  families: Readonly<Record<string, string>>;
  /** Returns a name such as “PNG image”. */
  typeOf(kind: string, family: string): string;
}

export const typeNames: TypeNames = {
  types: {
    'application/gzip': 'GZIP archive',
    'application/java-archive': 'JAR archive',
    'application/javascript': 'JavaScript',
    'application/msword': 'Word document',
    'application/octet-stream': 'File',
    'application/pdf': 'PDF',
    'application/vnd.android.package-archive': 'Android app',
    'application/vnd.microsoft.portable-executable': 'Windows program',
    'application/vnd.ms-excel': 'Excel spreadsheet',
    'application/vnd.ms-excel.sheet.macroenabled.12': 'Excel spreadsheet',
    'application/vnd.ms-outlook': 'Outlook message',
    'application/vnd.ms-powerpoint': 'PowerPoint presentation',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'PowerPoint presentation',
    'application/vnd.ms-word.document.macroenabled.12': 'Word document',
    'application/vnd.oasis.opendocument.presentation': 'OpenDocument presentation',
    'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument spreadsheet',
    'application/vnd.oasis.opendocument.text': 'OpenDocument text',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint presentation',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel spreadsheet',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
    'application/x-7z-compressed': '7-Zip archive',
    'application/x-apple-diskimage': 'Disk image',
    'application/x-cfb': 'File',
    'application/x-msdownload': 'Windows program',
    'application/x-msi': 'Windows installer',
    'application/zip': 'ZIP archive',
    'audio/mpeg': 'MP3 audio',
    'image/vnd.adobe.photoshop': 'Photoshop image',
    'text/calendar': 'Calendar',
    'text/csv': 'CSV table',
    'text/javascript': 'JavaScript',
    'text/markdown': 'Markdown',
    'text/plain': 'Text',
    'video/quicktime': 'QuickTime video',
    'video/x-matroska': 'Matroska video',
    'video/x-msvideo': 'AVI video',
  },
  families: { image: 'image', video: 'video', audio: 'audio', text: 'text', font: 'font' },
  typeOf: (kind, family) => `${kind} ${family}`,
};
