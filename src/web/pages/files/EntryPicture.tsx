import {
  File,
  FileArchive,
  FileCode,
  FileImage,
  FileMusic,
  FilePlay,
  FileSpreadsheet,
  FileText,
  Folder,
  ImageOff,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Entry } from './entries.ts';
import { thumbnailAddress, tileAddress } from './preview/content.ts';
import { texts } from './texts.ts';

const ICONS: readonly [RegExp, typeof File, string][] = [
  [/^image\//, FileImage, 'image'],
  [/^video\//, FilePlay, 'video'],
  [/^audio\//, FileMusic, 'audio'],
  [/pdf$/, FileText, 'pdf'],
  [/(zip|tar|gzip|7z|rar|compressed|bzip2|xz)/, FileArchive, 'archive'],
  [/(spreadsheet|excel|csv)/, FileSpreadsheet, 'sheet'],
  [/word|document|presentation/, FileText, 'text'],
  [/(json|xml|javascript|html|css|x-sh|toml|yaml|graphql|\/sql)/, FileCode, 'code'],
  [/^text\//, FileText, 'text'],
];

interface EntryPictureProps {
  entry: Entry;
  large?: boolean;
  /** Whether the picture is loaded before it is near the visible area. */
  eager?: boolean;
}

/** Cancels the loading of a picture that is removed, so that it does not delay the others. */
const cancelling = (image: HTMLImageElement | null) => () => image?.removeAttribute('src');

/** The thumbnail of a file, or an icon. */
export function EntryPicture({ entry, large = false, eager = false }: EntryPictureProps) {
  const file = entry.kind === 'file' ? entry.file : null;
  const mimeType = file?.mimeType ?? '';
  const address = file && (large ? tileAddress : thumbnailAddress)(file);
  const { isBroken, isGivenUp, fail } = useRetries(address);
  if (address && !isBroken) {
    return (
      <img
        ref={cancelling}
        className={mimeType === 'application/pdf' ? 'thumbnail page-thumbnail' : 'thumbnail'}
        src={address}
        alt=""
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        draggable={false}
        onError={fail}
      />
    );
  }
  if (large && RENDERED.test(mimeType) && (address === null || isGivenUp)) return <NoPicture />;
  const [Icon, kind] = iconOf(entry);
  const className = `entry-icon ${kind}-icon`;
  return <Icon size={large ? 44 : 22} strokeWidth={1.5} className={className} aria-hidden />;
}

/** Media types of pictures that the server renders. */
const RENDERED = /^image\/(?:jpeg|png|apng|gif|webp|avif|heic|heif|tiff)$/;

/** Shown in place of a picture that the server could not render, usually because it is damaged. */
const NoPicture = () => (
  <span className="no-picture">
    <ImageOff size={32} strokeWidth={1.5} aria-hidden />
    {texts.noPicture}
  </span>
);

const RETRIES = 5;
const RETRY_MS = 2_000;

/** Retries a picture that failed to load a few times: it may not be rendered yet. */
function useRetries(address: string | null) {
  const [failed, setFailed] = useState<{ address: string | null; times: number; waits: boolean }>();
  const own = failed?.address === address ? failed : undefined;
  useEffect(() => {
    if (!own?.waits || own.times > RETRIES) return;
    const timer = setTimeout(() => setFailed({ ...own, waits: false }), RETRY_MS * own.times);
    return () => clearTimeout(timer);
  }, [own]);
  const fail = () => setFailed({ address, times: (own?.times ?? 0) + 1, waits: true });
  return { isBroken: own?.waits === true, isGivenUp: (own?.times ?? 0) > RETRIES, fail };
}

function iconOf(entry: Entry): [typeof File, kind: string] {
  if (entry.kind === 'folder') return [Folder, 'folder'];
  const [, Icon = File, kind = 'other'] = ICONS.find(([pattern]) => pattern.test(entry.file.mimeType)) ?? [];
  return [Icon, kind];
}
