import { z } from '@hono/zod-openapi';
import { checked } from '../../../kernel/http/body.ts';
import { isId } from '../../../kernel/ids.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { readFileName } from '../../tree/names.ts';
import { folderIdField, visibilityField } from '../fields.ts';

/** The known keys of an `Upload-Metadata` header. Other keys are stored and ignored. */
const schema = z.object({
  folderId: folderIdField.default('root'),
  replaceFileId: z.string().toLowerCase().refine(isId, 'must be the id of a file').nullable().default(null),
  visibility: visibilityField,
  filename: z.string().nullable().default(null),
  filetype: z.string().trim().toLowerCase().default(''),
});

/** Values of the known keys. */
export interface UploadMetadata {
  folderId: string;
  replaceFileId: string | null;
  visibility: number;
  /** Null = keep the name of the replaced file. */
  fileName: string | null;
  /** The client's claim; null = none. */
  mediaType: string | null;
}

/**
 * Parses the metadata of a new upload (tus 1.0.0, "Upload-Metadata": pairs of a key and a value in Base64).
 * @param header well-formed; '' = none
 * @throws Problem 400 that names the key
 */
export function readMetadata(header: string): UploadMetadata {
  const values = Object.keys(schema.shape).map((key) => [key, textOf(header, key)]);
  const { folderId, replaceFileId, visibility, filename, filetype } = checked(
    schema,
    Object.fromEntries(values),
  );
  if (filename === null && replaceFileId === null) throw invalidField('filename', 'is required');
  return {
    folderId,
    replaceFileId,
    visibility: Number(visibility),
    fileName: filename === null ? null : readFileName(filename, 'filename'),
    mediaType: /^[\w.+-]+\/[\w.+-]+/.exec(filetype)?.[0] ?? null,
  };
}

/** Returns the value of a key; undefined = no such key, '' = no value. */
function textOf(header: string, key: string): string | undefined {
  const pair = header.split(',').find((candidate) => candidate.split(' ', 1)[0] === key);
  if (pair === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(pair.slice(key.length + 1), 'base64'),
    );
  } catch {
    throw invalidField(key, 'must be text in UTF-8, encoded in Base64');
  }
}
