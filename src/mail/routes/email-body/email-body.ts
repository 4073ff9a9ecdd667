import { MB } from '../../../kernel/bytes.ts';
import { type ComputeDeps, createCompute } from '../../../kernel/compute/compute.ts';
import type { JobKilled } from '../../../kernel/compute/start-child.ts';
import { Unavailable } from '../../../kernel/errors/unavailable.ts';
import { jsonShape } from '../../../kernel/http/bodies/json-shape.ts';
import {
  JSON_LIMIT,
  MAX_NAMES,
  parseInTurn,
  readBytes,
  requireMediaType,
} from '../../../kernel/http/bodies/read-body.ts';
import { json, type RawBody, type RequestBody } from '../../../kernel/http/bodies/request-body.ts';
import type { Ctx } from '../../../kernel/http/context.ts';
import { noteUnknown } from '../../../kernel/http/fields.ts';
import { limitKey } from '../../../kernel/ip.ts';
import { createSemaphore } from '../../../kernel/limits/fair-queue.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { programFile } from '../../../kernel/program-files.ts';
import type { EmailToCompose } from '../../compose/email.ts';
import { emailBodySchema, emailFingerprint, readEmailFields } from './email-fields.ts';
import type { OpenedBody } from './open-body.ts';
import { createBodyReceiver, type ReceivedBody } from './receive.ts';

/** The body of a request for an e-mail. */
export interface EmailBody {
  request: EmailToCompose;
  /** Returns a digest of the fields that must be equal in a repeat. */
  fingerprint(): string;
}

/** A body that the child has read, with the paths of its unknown fields. */
type LargeBody = EmailBody & { unknown: readonly string[] };

/**
 * Maximum CPU time of a body, ms. One of 36 MB takes 600 ms; on an overcommitted virtual machine, CPU time includes
 * waits for the host.
 */
const CPU_MS = 15_000;
/** Limits of bodies that exist in parsed form, from the end of `read` to their release. */
const PARSED = { running: 2, runningEach: 1, waiting: 64, waitingEach: 32, waitMs: 60_000 };

/**
 * Returns the reader of the body of an e-mail: JSON of up to 36 MB. Above 1 MB or `MAX_NAMES` names it is parsed in a
 * child process, and its texts and attachments stay packed.
 */
export function createEmailBody({ log, giveWay }: Pick<ComputeDeps, 'log' | 'giveWay'>) {
  const compute = createCompute({
    name: 'large bodies',
    log,
    giveWay,
    program: programFile('mail/routes/email-body/child'),
    limits: { memory: 768 * MB, cpuSeconds: 120 },
    output: 64 * MB,
    children: 1,
    ms: CPU_MS,
    killed: notRead,
  });
  const receive = createBodyReceiver();
  const { acquire } = createSemaphore(PARSED);
  /** The large bodies that are in use, by the value that the endpoint passes to the authentication. */
  const large = new WeakMap<object, LargeBody | Problem>();

  async function receiveAny(c: Ctx): Promise<ReceivedBody> {
    const announced = c.req.header('Content-Length');
    if (announced === undefined || Number(announced) > JSON_LIMIT) return await receive(c);
    const bytes = await readBytes(c, JSON_LIMIT);
    return { chunks: [bytes], size: bytes.byteLength, release() {} };
  }

  async function open({ chunks }: ReceivedBody, owner: string): Promise<object> {
    const { value, blobs = [] } = await compute.run(owner, { value: null, blobs: chunks });
    const { credentials, read } = value as OpenedBody;
    large.set(credentials, 'problem' in read ? problemOf(read.problem) : bodyOf(read, blobs));
    return credentials;
  }

  async function read(c: Ctx): Promise<RawBody> {
    requireMediaType(c, ['application/json']);
    const received = await receiveAny(c);
    const owner = limitKey(c.env.address);
    try {
      const small = smallBody(received);
      if (small) return { value: await parseInTurn(c, small) };
      const release = await acquire(owner);
      try {
        return { value: await open(received, owner), release };
      } catch (error) {
        release();
        throw error;
      }
    } finally {
      received.release();
    }
  }

  const body: RequestBody<EmailBody> = {
    ...json(emailBodySchema),
    read,
    parse(value, notes) {
      const opened = large.get(value as object);
      if (opened instanceof Problem) throw opened;
      if (opened) {
        noteUnknown(opened.unknown, notes);
        return opened;
      }
      const request = readEmailFields(value, notes);
      return { request, fingerprint: () => emailFingerprint(request) };
    },
  };
  return { body, stop: compute.stop };
}

/** Returns the bytes of a body that can be parsed on the main thread; null = it is too large. */
function smallBody({ chunks, size }: ReceivedBody): Uint8Array | null {
  if (size > JSON_LIMIT) return null;
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  const { names } = jsonShape(bytes, { depth: Infinity, names: MAX_NAMES });
  return names > MAX_NAMES ? null : bytes;
}

/**
 * Reading takes time in proportion to the size, and a parser of JSON does not crash, so the bodies themselves are not
 * at fault.
 */
export function notRead({ reason }: Pick<JobKilled, 'reason'>): Error {
  if (reason === 'time') return new Unavailable('system', 'a large body was not read in time');
  if (reason === 'crash')
    return new Unavailable('system', 'the child process that reads large bodies crashed');
  return invalidField('body', 'is too complex to be read');
}

type Opened = Extract<OpenedBody['read'], { request: unknown }>;

function bodyOf({ request, fingerprint, unknown }: Opened, packed: readonly Uint8Array[]): LargeBody {
  return { request: { ...request, packed }, fingerprint: () => fingerprint, unknown };
}

function problemOf({ code, detail, fields }: Pick<Problem, 'code' | 'detail' | 'fields'>): Problem {
  return new Problem(code, detail, fields ? { fields } : {});
}
