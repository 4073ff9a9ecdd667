import type { TypeNames } from './type-names.ts';

/** Kinds that are familiar as file name extensions, unlike `MS-TNEF` or `12`. */
const KNOWN_KIND = /^(?=.{1,8}$)\d*[A-Z][A-Z\d]*$/;

/** Formats a media type, such as `video/mp4` as `MP4 video`. Formats without a known name are `File` or `Text`. */
export function readableType(mimeType: string, { types, families, typeOf }: TypeNames): string {
  const known = types[mimeType];
  if (known) return known;
  const [family = '', subtype = ''] = mimeType.split('/');
  const last =
    subtype
      .replace(/^x-|\+.*$/g, '')
      .split('.')
      .at(-1) ?? '';
  const kind = last.toUpperCase();
  const noun = families[family];
  if (family === 'text' && subtype.startsWith('vnd.')) return types['text/plain'] ?? kind;
  if (noun) return typeOf(kind, noun);
  return KNOWN_KIND.test(kind) ? kind : (types['application/octet-stream'] ?? kind);
}
