import { invalidField } from '../../kernel/http/problem.ts';
import { isId } from '../../kernel/ids.ts';
import { readFileName } from '../names.ts';

/** What the keys of an `Upload-Metadata` header ask for. Keys that mean nothing here are kept and passed over. */
export interface UploadWishes {
  folderId: string;
  replaceFileId: string | null;
  visibility: number;
  /** Null = the name of the file that is replaced. */
  fileName: string | null;
  /** The client's claim; null = none. */
  mediaType: string | null;
}

/**
 * Reads what a new upload is to be (tus 1.0.0, "Upload-Metadata": pairs of a key and a value in Base64).
 * @param header well-formed; '' = none
 * @throws Problem 400 that names the key
 */
export function readMetadata(header: string): UploadWishes {
  const value = (key: string) => textOf(header, key);
  const folderId = value('folderId')?.toLowerCase() ?? 'root';
  if (folderId !== 'root' && !isId(folderId)) throw invalidField('folderId', 'must be the id of a folder, or root');
  const replaceFileId = value('replaceFileId')?.toLowerCase() ?? null;
  if (replaceFileId !== null && !isId(replaceFileId)) throw invalidField('replaceFileId', 'must be the id of a file');
  const visibility = value('visibility') ?? '0';
  if (visibility !== '0' && visibility !== '1') throw invalidField('visibility', 'must be 0 (private) or 1 (public)');
  const name = value('filename');
  if (name === null && replaceFileId === null) throw invalidField('filename', 'is required');
  return {
    folderId,
    replaceFileId,
    visibility: Number(visibility),
    fileName: name === null ? null : readFileName(name, 'filename'),
    mediaType: /^[\w.+-]+\/[\w.+-]+/.exec(value('filetype')?.trim().toLowerCase() ?? '')?.[0] ?? null,
  };
}

/** The value of a key; null = the key is not there, '' = it has no value. */
function textOf(header: string, key: string): string | null {
  const pair = header.split(',').find((candidate) => candidate.split(' ', 1)[0] === key);
  if (pair === undefined) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(pair.slice(key.length + 1), 'base64'));
  } catch {
    throw invalidField(key, 'must be text in UTF-8, encoded in Base64');
  }
}
