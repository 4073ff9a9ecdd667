import type { TextFormat } from './text-format.ts';
import type { RenderedText } from './text-worker.ts';

/** Hostile texts take minutes. */
const TIMEOUT_MS = 4_000;

/**
 * Renders a text in a worker, which is ended when it takes long. @throws Error when it failed or took too long, or the
 * signal is aborted
 */
export function renderText(text: string, format: TextFormat, signal: AbortSignal): Promise<RenderedText> {
  const address = document.getElementById('root')?.dataset.textWorker;
  if (!address) return Promise.reject(new Error('the page names no worker'));
  const worker = new Worker(address, { type: 'module' });
  return new Promise<RenderedText>((resolve, reject) => {
    const fail = (reason: string) => () => reject(new Error(reason));
    worker.addEventListener('message', ({ data }: MessageEvent<RenderedText>) => resolve(data));
    worker.addEventListener('error', fail('the text cannot be rendered'));
    AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]).addEventListener('abort', fail('aborted'));
    worker.postMessage({ text, format });
  }).finally(() => worker.terminate());
}
