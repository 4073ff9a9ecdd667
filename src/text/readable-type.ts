import type { TypeNames } from './type-names.ts';

/** Formats a media type, such as `video/mp4` as `MP4 video`. */
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
  return noun ? typeOf(kind, noun) : kind;
}
