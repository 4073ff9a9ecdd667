import { ERRORS } from '@tus/server';
import { otherMediaType } from '../../../kernel/http/bodies/read-body.ts';
import { invalidField, invalidFields, notFound, Problem } from '../../../kernel/problem.ts';
import { tooLarge } from '../../intake/ingest.ts';
import { uploadLocked } from '../../intake/resumable/locks.ts';
import { LockLost } from '../../intake/resumable/part-rows.ts';
import { BYTES_TYPE } from './protocol.ts';

/** Refusals by the error of the library, or by its status. */
const REFUSALS = new Map<unknown, () => Problem>([
  [ERRORS.ABORTED, uploadLocked],
  [ERRORS.MISSING_OFFSET, () => invalidField('Upload-Offset', 'is required')],
  [ERRORS.INVALID_LENGTH, () => invalidField('Upload-Length', 'is required')],
  [
    ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION,
    () => invalidField('Upload-Defer-Length', 'is not supported: send Upload-Length'),
  ],
  [
    ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION,
    () => invalidField('Upload-Concat', 'is not supported: send one upload'),
  ],
  [ERRORS.INVALID_CONTENT_TYPE, () => otherMediaType('PATCH', [BYTES_TYPE])],
  [404, notFound],
  [409, () => new Problem('upload_offset_wrong', 'Upload-Offset is not the current offset of the upload.')],
  [410, () => new Problem('upload_expired', 'The upload has expired.')],
  // By the declared length of the body, or by the received bytes.
  [413, () => invalidField('body', 'must not exceed the bytes remaining to Upload-Length')],
]);

const BYTES = 'must be a number of bytes';
/** Header fields that the library validates, by their names in lower case. */
const HEADERS = new Map([
  ['upload-length', { path: 'Upload-Length', message: BYTES }],
  ['upload-offset', { path: 'Upload-Offset', message: BYTES }],
  [
    'upload-metadata',
    {
      path: 'Upload-Metadata',
      message: 'must be pairs of a key and a value in Base64, separated by commas, each key once',
    },
  ],
]);

/**
 * Converts errors of the library, and errors thrown through it, to a `Problem` where there is one.
 * @param answer status and body of the response of the library, and the maximum size of a file
 */
export function refusalOf(
  thrown: unknown,
  { status, text, fileBytes }: { status: number; text: string; fileBytes: number },
): unknown {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof LockLost) return uploadLocked();
  if (thrown === ERRORS.ERR_MAX_SIZE_EXCEEDED) return tooLarge(fileBytes);
  const refusal = REFUSALS.get(thrown) ?? REFUSALS.get(status);
  if (refusal) return refusal();
  const names = /^Invalid (.+)\n$/.exec(text)?.[1]?.split(' ');
  if (!names && status >= 500 && status !== 501)
    return thrown ?? new Error(`the tus library responded with status ${status}`);
  if (!names) return new Problem('invalid_request', text.trim());
  return invalidFields(names.map((path) => HEADERS.get(path) ?? { path, message: 'is not valid' }));
}
