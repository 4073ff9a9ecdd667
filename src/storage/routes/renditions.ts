import { z } from '@hono/zod-openapi';
import { SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { Problem } from '../../kernel/problem.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { Counted } from '../delivery/downloads.ts';
import type { AwaitRendition } from '../delivery/renditions/awaiting.ts';
import type { RenditionKind, StoredFile } from '../tree/file.ts';
import type { Files } from '../tree/files.ts';
import { BYTES_PROBLEMS, bytesAnswers, rangeHeaders, type SendOptions, sendBytes } from './bytes.ts';
import type { Members } from './members.ts';

interface RenditionRoutesDeps {
  database: Database;
  members: Members;
  files: Files;
  blobs: BlobReader;
  awaitRendition: AwaitRendition;
}

/** Texts and sizes of each kind of rendition in the endpoints. */
export const RENDITIONS = [
  { kind: 'thumbnail', name: 'Thumbnail', side: 512, problem: 'no_thumbnail' },
  { kind: 'preview', name: 'Preview', side: 2048, problem: 'no_preview' },
] as const;

type RenditionName = (typeof RENDITIONS)[number];

const RETRY_MS = SECOND;
const TO_OWNER = { secretUsed: false, anonymous: false };
const query = z.object({
  of: z.string().optional().openapi({ description: 'Any text, to keep copies in caches apart' }),
});

/** The renditions of a file, for the members of its workspace. */
export function mountRenditions(
  app: App,
  { database, members, files, blobs, awaitRendition }: RenditionRoutesDeps,
): void {
  for (const rendition of RENDITIONS) {
    const { kind, name, side, problem } = rendition;
    endpoint(app, {
      method: 'get',
      path: `/api/storage/files/{id}/${kind}`,
      operation: `get${name}`,
      summary: `Get the ${kind} of a picture`,
      description:
        `A WebP picture, upright and without metadata, whose longest side has at most ${side} pixels.
        Waits up to a second while it is being rendered.`.replace(/\s+/g, ' '),
      tags: ['files'],
      auth: members.viewer,
      params: { id: guid },
      headers: rangeHeaders,
      query,
      answers: bytesAnswers('image/webp'),
      problems: [problem, ...BYTES_PROBLEMS],
      async handler({ c, caller, params: { id } }) {
        const file = await files.find(database.read, caller, id);
        const awaited = { ...file, [kind]: await awaitRendition(file, kind, caller.id) };
        return await sendRendition(c.req.raw, blobs, { file: awaited, rendition }, TO_OWNER);
      },
    });
  }
}

/**
 * Reports whether sending a rendition to a visitor counts as a download: a preview is nearly as good as the picture,
 * so a limit of downloads includes it. Without a limit, previews are not counted.
 */
export function isCounted(kind: RenditionKind, { maxDownloads }: Counted): boolean {
  return kind === 'preview' && maxDownloads !== null;
}

/**
 * Sends a rendition of a file.
 * @throws Problem 404 `no_thumbnail`, `no_preview`; the errors of `beforeBytes`
 */
export async function sendRendition(
  request: Request,
  blobs: BlobReader,
  { file, rendition: { kind, problem } }: { file: StoredFile; rendition: RenditionName },
  options: Omit<SendOptions, 'inline'>,
): Promise<Response> {
  const { state, key } = file[kind];
  const facts = key === null ? null : await blobs.stat(key);
  if (key === null || !facts) {
    const isPending = state === 'pending';
    throw new Problem(problem, `This file has no ${kind}${isPending ? ' yet' : ''}.`, {
      retryAfterMs: isPending ? RETRY_MS : undefined,
    });
  }
  const bytes = {
    blobKey: key,
    sizeBytes: facts.size,
    mimeType: 'image/webp',
    originalName: `${file.originalName}.webp`,
    sha256: null,
    dateModified: file.dateModified,
  };
  // Never a redirect: pages show renditions, and small ones are kept in memory.
  return await sendBytes(request, { read: blobs.read }, bytes, { ...options, inline: true });
}
