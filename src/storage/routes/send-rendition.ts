import { SECOND } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/problem.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { Counted } from '../delivery/downloads.ts';
import type { RenditionKind, StoredFile } from '../tree/files/file.ts';
import { type SendOptions, sendBytes } from './bytes.ts';

/** Texts and sizes of each kind of rendition in the endpoints. */
export const RENDITIONS = [
  { kind: 'thumbnail', name: 'Thumbnail', side: 512, problem: 'no_thumbnail' },
  { kind: 'preview', name: 'Preview', side: 2048, problem: 'no_preview' },
] as const;

type RenditionName = (typeof RENDITIONS)[number];

const RETRY_MS = SECOND;

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
