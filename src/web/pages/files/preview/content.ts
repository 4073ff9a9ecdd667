import { isLong } from '../../../../picture/is-long.ts';
import { contentAddress, type FileItem } from '../../../api/storage.ts';

export interface Previewed {
  name: string;
  mimeType: string;
  sizeBytes: number;
  sha256: string;
  address: string;
  /** Addresses of renditions; null = none. */
  thumbnail?: string | null;
  preview?: string | null;
  /** Dimensions of a picture that is upright, in pixels. */
  width?: number;
  height?: number;
}

export function contentOf(file: FileItem): Previewed {
  const { id, originalName, mimeType, sizeBytes, sha256, width, height } = file;
  return {
    name: originalName,
    mimeType,
    sizeBytes,
    sha256,
    address: contentAddress(id),
    thumbnail: thumbnailAddress(file),
    preview: previewAddress(file),
    ...(width && height ? { width, height } : {}),
  };
}

/** Returns the address of the thumbnail of a file; null = it has none. */
export const thumbnailAddress = (file: FileItem) =>
  file.thumbnailPath && `${file.thumbnailPath}?of=${version(file)}`;

const previewAddress = (file: FileItem) =>
  file.thumbnailPath && `/api/storage/files/${file.id}/preview?of=${version(file)}`;

/** Returns the address of the picture of a file in a tile; null = it has none. */
export const tileAddress = (file: FileItem) =>
  file.width && file.height && isLong(file.width, file.height)
    ? previewAddress(file)
    : thumbnailAddress(file);

/** Changes with the content of a file, so that a replaced picture is loaded again. */
const version = ({ sha256 }: FileItem) => sha256.slice(0, 12);
