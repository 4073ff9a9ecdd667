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
} from 'lucide-react';
import { useState } from 'react';
import type { FileItem } from '../../api/storage.ts';
import type { Entry } from './entries.ts';

const ICONS: readonly [RegExp, typeof File, string][] = [
  [/^image\//, FileImage, 'image'],
  [/^video\//, FilePlay, 'video'],
  [/^audio\//, FileMusic, 'audio'],
  [/pdf$/, FileText, 'pdf'],
  [/(zip|tar|gzip|7z|rar|compressed|bzip2|xz)/, FileArchive, 'archive'],
  [/(spreadsheet|excel|csv)/, FileSpreadsheet, 'sheet'],
  [/(json|xml|javascript|html|css|x-sh)/, FileCode, 'code'],
  [/^text\/|word|document/, FileText, 'text'],
];

/** The thumbnail of a file, or an icon. */
export function EntryPicture({ entry, large = false }: { entry: Entry; large?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null);
  const address = entry.kind === 'file' ? thumbnailAddress(entry.file) : null;
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
  const [Icon, className] = iconOf(entry);
  return <Icon size={large ? 44 : 22} strokeWidth={1.5} className={`entry-icon ${className}`} aria-hidden />;
}

function iconOf(entry: Entry): [typeof File, className: string] {
  if (entry.kind === 'folder') return [Folder, 'folder'];
  const [, Icon = File, className = 'other'] =
    ICONS.find(([pattern]) => pattern.test(entry.file.mimeType)) ?? [];
  return [Icon, className];
}

/** Depends on the content, so that a replaced picture is loaded again. */
function thumbnailAddress({ thumbnailPath, sha256 }: FileItem): string | null {
  return thumbnailPath && `${thumbnailPath}?of=${(sha256 ?? '').slice(0, 12)}`;
}
