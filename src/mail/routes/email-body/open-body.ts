import { z } from '@hono/zod-openapi';
import { MB } from '../../../kernel/bytes.ts';
import type { Payload } from '../../../kernel/compute/frames.ts';
import { checked, parseJson } from '../../../kernel/http/bodies/read-body.ts';
import { namedFields, unrestricted } from '../../../kernel/http/fields.ts';
import { Problem } from '../../../kernel/problem.ts';
import { type EmailRest, packContent } from '../../compose/rendering/packed-content.ts';
import { credentialsSchema } from '../client-auth.ts';
import { emailFingerprint, readEmailFields } from './email-fields.ts';

/** A large body as the child has read it; its texts and attachments are in the blobs. */
export interface OpenedBody {
  /** Not validated, and truncated to `CUT_CREDENTIAL`. */
  credentials: Record<string, unknown>;
  /** The problem is reported after the credentials are checked. */
  read:
    | { request: EmailRest; fingerprint: string; unknown: string[] }
    | { problem: Pick<Problem, 'code' | 'detail' | 'fields'> };
}

/** Length to which credentials are truncated; valid ones are shorter. */
const CUT_CREDENTIAL = 300;
/** Maximum number of unknown fields that are reported: a body may have millions, which the server would parse again. */
const MAX_UNKNOWN = 1_000;
/** Maximum length of the JSON of the fields that are not packed. */
const MAX_REST_BYTES = MB;

const nameCredentials = namedFields(credentialsSchema);

/** Reads a body. @throws Problem 400 when it is not a JSON object */
export function openBody(bytes: Uint8Array): Payload<OpenedBody> {
  const value = checked(
    z.record(z.string(), z.unknown(), 'must be a JSON object'),
    parseJson(bytes, Infinity),
  );
  const named = nameCredentials(value, '', unrestricted()) as Record<string, unknown>;
  const credentials = Object.fromEntries(
    Object.entries(named).map(([name, given]) => [
      name,
      typeof given === 'string' ? given.slice(0, CUT_CREDENTIAL) : null,
    ]),
  );
  try {
    const notes = unrestricted();
    const request = readEmailFields(value, notes);
    const { packed, rest } = packContent(request);
    if (JSON.stringify(rest).length > MAX_REST_BYTES) throw tooLarge();
    return {
      value: {
        credentials,
        read: {
          request: rest,
          fingerprint: emailFingerprint(request),
          unknown: notes.unknown.slice(0, MAX_UNKNOWN),
        },
      },
      blobs: packed,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, detail, fields } = error;
    return { value: { credentials, read: { problem: { code, detail, fields } } } };
  }
}

function tooLarge(): Problem {
  return new Problem(
    'body_too_large',
    `The fields other than texts, TemplateData and attachments may have at most ${MAX_REST_BYTES} bytes.`,
  );
}
