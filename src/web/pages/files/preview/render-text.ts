import type { TextFormat } from '../../../../text/text-format.ts';
import type { RenderedText } from './text-worker.ts';

/** The address of the worker, defined by `src/web/build.ts`. */
declare const TEXT_WORKER: string;
/** Longer texts are not formatted: each word can become an element of the page. */
export const MAX_LENGTH: Record<TextFormat['kind'], number> = {
  code: 100_000,
  markdown: 200_000,
  table: 524_288,
};
/** Maximum time of rendering; a hostile text can take minutes. */
const TIMEOUT_MS = 4_000;

/**
 * Renders a text in a worker. @throws Error when it fails or takes longer than `TIMEOUT_MS`, or the signal is aborted;
 * the worker is terminated
 */
export function renderText(text: string, format: TextFormat, signal: AbortSignal): Promise<RenderedText> {
  const worker = new Worker(TEXT_WORKER, { type: 'module' });
  return new Promise<RenderedText>((resolve, reject) => {
    const fail = (reason: string) => () => reject(new Error(reason));
    worker.addEventListener('message', ({ data }: MessageEvent<RenderedText>) => resolve(data));
    worker.addEventListener('error', fail('the text cannot be rendered'));
    AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]).addEventListener('abort', fail('aborted'));
    worker.postMessage({ text, format });
  }).finally(() => worker.terminate());
}
