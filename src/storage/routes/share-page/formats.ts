const TYPES: Readonly<Record<string, string>> = {
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
};

/** Formats a media type, such as `video/mp4` as `MP4 video`. */
export function readableType(mimeType: string): string {
  const [family = '', subtype = ''] = mimeType.split('/');
  const kind = subtype.replace(/^(x-|vnd\.)|\+.*$/g, '').toUpperCase();
  return TYPES[mimeType] ?? (family === 'application' ? kind : `${kind} ${family}`);
}
