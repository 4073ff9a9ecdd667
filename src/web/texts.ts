export const texts = {
  close: 'Close',
  togglePassword: 'Show or hide password',
  /** The forms for one and for another number (`countOf`). */
  nouns: {
    attempt: { one: 'attempt', other: 'attempts' },
    item: { one: 'item', other: 'items' },
    channel: { one: 'channel', other: 'channels' },
    time: { one: 'time', other: 'times' },
    download: { one: 'download', other: 'downloads' },
    file: { one: 'file', other: 'files' },
    folder: { one: 'folder', other: 'folders' },
    picture: { one: 'picture', other: 'pictures' },
    server: { one: 'server', other: 'servers' },
    message: { one: 'message', other: 'messages' },
    link: { one: 'link', other: 'links' },
    workspace: { one: 'workspace', other: 'workspaces' },
  },
  daysLeft: (days: string) => `${days} days left`,
  lessThanADayLeft: 'less than a day left',
  /** Names of media types, as on the page of a shared file (`storage/routes/share-page/formats.ts`). */
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
  /** Nouns of the other media types, by the part before the slash. */
  families: { image: 'image', video: 'video', audio: 'audio', text: 'text', font: 'font' } as Readonly<
    Record<string, string>
  >,
  /** Such as “PNG image”. */
  typeOf: (kind: string, family: string) => `${kind} ${family}`,
};
