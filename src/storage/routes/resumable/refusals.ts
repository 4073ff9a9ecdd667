import { ERRORS } from '@tus/server';
import { otherMediaType } from '../../../kernel/http/body.ts';
import { invalidField, notFound, Problem } from '../../../kernel/problem.ts';
import { uploadLocked } from '../../intake/resumable/locks.ts';
import { LockLost } from '../../intake/resumable/part-rows.ts';

/** Refusals by the error of the library, or by its status. */
const REFUSALS = new Map<unknown, () => Problem>([
  [ERRORS.ABORTED, uploadLocked],
  [ERRORS.ERR_MAX_SIZE_EXCEEDED, () => new Problem('file_too_large', 'The file exceeds the size limit.')],
  [ERRORS.MISSING_OFFSET, () => invalidField('Upload-Offset', 'is required')],
  [ERRORS.INVALID_LENGTH, () => invalidField('Upload-Length', 'is required')],
  [ERRORS.INVALID_CONTENT_TYPE, () => otherMediaType('PATCH', ['application/offset+octet-stream'])],
  [404, notFound],
  [409, () => new Problem('upload_offset_wrong', 'Upload-Offset is not the current offset of the upload.')],
  [410, () => new Problem('upload_expired', 'The upload has expired.')],
  // By the declared length of the body, or by the received bytes.
  [413, () => invalidField('body', 'must not exceed the bytes remaining to Upload-Length')],
]);

/**
 * Converts errors of the library, and errors thrown through it, to a `Problem` where there is one.
 * @param status of the response of the library
 * @param text its body
 */
export function refusalOf(thrown: unknown, status: number, text: string): unknown {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof LockLost) return uploadLocked();
  const refusal = REFUSALS.get(thrown) ?? REFUSALS.get(status);
  if (refusal) return refusal();
  const names = /^Invalid (.+)\n$/.exec(text)?.[1]?.split(' ');
  if (!names && status >= 500 && status !== 501)
    return thrown ?? new Error(`the tus library answered with status ${status}`);
  const fields = names?.map((path) => ({ path, message: 'is not valid' }));
  return new Problem('invalid_request', text.trim(), { fields });
}
