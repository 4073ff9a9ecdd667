/** Kinds of files that a search distinguishes. */
export const FILE_TYPES = ['image', 'video', 'audio', 'document', 'archive', 'other'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** Patterns of media types. A change requires a migration that empties the tables of the search. */
const BEGINNINGS: readonly [FileType, RegExp][] = [
  ['image', /^image\//],
  ['video', /^video\//],
  ['audio', /^audio\//],
  [
    'archive',
    /^application\/(zip|gzip|zstd|x-(7z|tar|bzip|xz|rar|lzip|lz4|compress|gtar|cpio|zip|gzip)|vnd\.rar|java-archive)/,
  ],
  ['document', /^(text\/|application\/(pdf|rtf|msword|epub|postscript))/],
  ['document', /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument|apple\.)/],
  ['document', /^application\/vnd\.ms-(excel|powerpoint|word|visio|outlook)/],
];

/** Returns the beginning of all media types of a kind; null = they have several, or none. */
export const beginningOf = (type: FileType): string | null =>
  ['image', 'video', 'audio'].includes(type) ? `${type}/` : null;

/** Returns the kind of a media type in lower case. */
export function fileType(mediaType: string): FileType {
  return BEGINNINGS.find(([, beginning]) => beginning.test(mediaType))?.[0] ?? 'other';
}
