import { File, FileArchive, FileCode, FileImage, FileMusic, FilePlay, FileSpreadsheet, FileText, Folder } from 'lucide-react';
import { useState } from 'react';
import type { FileItem } from '../../api/storage.ts';
import type { Entry } from './entries.ts';

const BY_TYPE: readonly [RegExp, typeof File, string][] = [
  [/^image\//, FileImage, 'image'],
  [/^video\//, FilePlay, 'video'],
  [/^audio\//, FileMusic, 'audio'],
  [/pdf$/, FileText, 'pdf'],
  [/(zip|tar|gzip|7z|rar|compressed|bzip2|xz)/, FileArchive, 'archive'],
  [/(spreadsheet|excel|csv)/, FileSpreadsheet, 'sheet'],
  [/(json|xml|javascript|html|css|x-sh)/, FileCode, 'code'],
  [/^text\/|word|document/, FileText, 'text'],
];

/** The small picture of a file, or a sign for its kind. */
export function EntryPicture({ entry, large = false }: { entry: Entry; large?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null);
  const size = large ? 44 : 22;
  if (entry.kind === 'folder') return <Folder size={size} strokeWidth={1.5} className="entry-icon folder" aria-hidden />;
  const address = thumbnailAddress(entry.file);
  if (address && broken !== address) {
    return (
      <img
        className="thumbnail"
        src={address}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setBroken(address)}
      />
    );
  }
  const [, Icon, kind] = BY_TYPE.find(([pattern]) => pattern.test(entry.file.mimeType)) ?? [null, File, 'other'];
  return <Icon size={size} strokeWidth={1.5} className={`entry-icon ${kind}`} aria-hidden />;
}

/** With a mark of the content, so that a replaced picture shows anew. */
export function thumbnailAddress({ thumbnailPath, sha256 }: FileItem): string | null {
  return thumbnailPath && `${thumbnailPath}?of=${(sha256 ?? '').slice(0, 12)}`;
}
