import { z } from '@hono/zod-openapi';
import { utf8Text } from '../../../kernel/bytes.ts';
import { editDistance } from '../../../kernel/edit-distance.ts';
import { fieldReader, unrestricted } from '../../../kernel/http/fields.ts';
import { flag } from '../../../kernel/http/params.ts';
import { isId } from '../../../kernel/ids.ts';
import { invalidField } from '../../../kernel/problem.ts';
import type { OnConflict } from '../../tree/files/conflicts.ts';
import { readFileName } from '../../tree/names.ts';
import {
  EMPTY_PASSWORD,
  filePasswordField,
  folderIdField,
  isProtected,
  onConflictField,
  uploaderNameField,
  visibilityField,
} from '../fields.ts';

/** The known keys of an `Upload-Metadata` header. Other keys are stored, and named as ignored. */
const schema = z
  .object({
    folderId: folderIdField.default('root'),
    replaceFileId: z.string().toLowerCase().refine(isId, 'must be the id of a file').nullable().default(null),
    visibility: visibilityField,
    onConflict: onConflictField,
    filePassword: filePasswordField,
    accessKey: flag,
    filename: z.string().nullable().default(null),
    filetype: z.string().trim().toLowerCase().default(''),
  })
  .refine(isProtected, EMPTY_PASSWORD);
const readFields = fieldReader(schema);

/** Metadata of files that visitors of a link send. */
const sentSchema = z.object({
  filename: schema.shape.filename,
  filetype: schema.shape.filetype,
  uploaderName: uploaderNameField,
});
const readSentFields = fieldReader(sentSchema);

/** Names of metadata that protect or publish a file. */
const PROTECTING = ['filepassword', 'accesskey', 'visibility'];
/** Names that other services use for these. */
const SYNONYMS = new Set(['password', 'access_key', 'expires']);
/** Settings that protect a file, and that it can get only after its upload. */
const LATER = new Set(['expiresat', 'maxdownloads']);
const NEAR = 2;

/** Values of the known keys. */
export interface UploadMetadata {
  folderId: string;
  replaceFileId: string | null;
  /** Undefined = not given. */
  visibility: number | undefined;
  onConflict: OnConflict;
  /** Null = none. */
  filePassword: string | null;
  withAccessKey: boolean;
  /** Null = keep the name of the replaced file. */
  fileName: string | null;
  /** The client's claim; null = none. */
  mediaType: string | null;
}

/** The keys of a header by whether a schema has them. */
interface Keys {
  values: Record<string, string>;
  unknown: string[];
}

/**
 * Parses the metadata of a new upload (tus 1.0.0, "Upload-Metadata": pairs of a key and a value in Base64).
 * @param header well-formed; '' = none
 * @throws Problem 400 that names the key
 */
export function readMetadata(header: string): UploadMetadata & Pick<Keys, 'unknown'> {
  const { values, unknown } = keysOf(header, schema);
  const fields = readFields(values, unrestricted());
  const { replaceFileId, filename, filePassword, visibility } = fields;
  const withAccessKey = fields.accessKey;
  if (filename === null && replaceFileId === null) throw invalidField('filename', 'is required');
  if (replaceFileId !== null) requireUnchanged({ filePassword, accessKey: withAccessKey, visibility });
  return {
    unknown,
    folderId: fields.folderId,
    replaceFileId,
    visibility: visibility === undefined ? undefined : Number(visibility),
    onConflict: fields.onConflict,
    filePassword: filePassword || null,
    withAccessKey,
    fileName: filename === null ? null : readFileName(filename, 'filename'),
    mediaType: mediaTypeOf(fields.filetype),
  };
}

/** @param settings in the metadata of a replacement. @throws Problem 400 if the metadata sets one of them */
function requireUnchanged(settings: Record<string, string | boolean | undefined>): void {
  for (const [name, value] of Object.entries(settings))
    if (![undefined, false, ''].includes(value))
      throw invalidField(name, 'cannot be changed by a replacement');
}

/** As `readMetadata`, for a file that the visitor of a link sends. @throws Problem 400 that names the key */
export function readSentMetadata(header: string) {
  for (const key of Object.keys(keysOf(header, schema).values))
    if (isProtecting(key)) throw invalidField(key, 'cannot be set for a file that is sent through a link');
  const { values, unknown } = keysOf(header, sentSchema);
  const { filename, filetype, uploaderName } = readSentFields(values, unrestricted());
  if (filename === null) throw invalidField('filename', 'is required');
  return {
    unknown,
    fileName: readFileName(filename, 'filename'),
    mediaType: mediaTypeOf(filetype),
    sender: uploaderName || null,
  };
}

/** Reads the values of the keys that a schema has. @throws Problem 400 for a misspelled key */
function keysOf(header: string, { shape }: z.ZodObject): Keys {
  const known = new Set(Object.keys(shape).map((key) => key.toLowerCase()));
  const values: Record<string, string> = {};
  const unknown: string[] = [];
  for (const pair of header.split(',')) {
    const key = keyOf(pair);
    if (isMisspelt(key)) throw invalidField(key, 'is not a key of the metadata of an upload');
    if (LATER.has(key.toLowerCase())) throw invalidField(key, 'can be set only after the upload');
    if (!known.has(key.toLowerCase())) unknown.push(...(key === '' ? [] : [key]));
    else if (!Object.hasOwn(values, key)) values[key] = textOf(pair, key);
  }
  return { values, unknown };
}

function mediaTypeOf(filetype: string): string | null {
  return /^[\w.+-]+\/[\w.+-]+/.exec(filetype)?.[0] ?? null;
}

/** Returns the header without the password of the file, which is not stored. */
export function withoutPassword(header: string): string {
  return header
    .split(',')
    .filter((pair) => keyOf(pair).toLowerCase() !== 'filepassword')
    .join(',');
}

function keyOf(pair: string): string {
  return pair.trim().split(' ', 1)[0] ?? '';
}

/** Returns the value of a pair; '' = no value. */
function textOf(pair: string, key: string): string {
  try {
    return utf8Text(Buffer.from(pair.trim().slice(key.length + 1), 'base64'));
  } catch {
    throw invalidField(key, 'must be text in UTF-8, encoded in Base64');
  }
}

/** Reports whether a name protects or publishes a file. */
function isProtecting(name: string): boolean {
  return PROTECTING.includes(name.toLowerCase());
}

/** Reports whether a name is so close to one that protects a file that it is treated as a misspelling. */
function isMisspelt(name: string): boolean {
  const given = name.toLowerCase();
  return SYNONYMS.has(given) || PROTECTING.some((known) => known !== given && isNear(known, given));
}

/** Compares the lengths first, so that a long name costs nothing. */
const isNear = (known: string, given: string) =>
  Math.abs(known.length - given.length) <= NEAR && editDistance(known, given) <= NEAR;
