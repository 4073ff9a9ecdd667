import { texts } from './texts.ts';

/** Pauses before the next attempts after failures. */
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000];
/** Time without progress after which a connection counts as broken. */
const STALLED_MS = 60_000;

/** A file with its upload. */
export interface Item {
  file: File;
  state: 'waiting' | 'sending' | 'sent' | 'refused';
  /** URL of the upload on the server; null = not begun. */
  address: string | null;
  /** Bytes that the server has; null = unknown, so it is requested. */
  offset: number | null;
  failures: number;
  request: XMLHttpRequest | null;
  show(text: string, offset?: number): void;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The key of an address in the storage of the tab: an upload continues after the page is reloaded. */
const keyOf = ({ name, size, lastModified }: File) => [location.pathname, name, size, lastModified].join('|');

/** Sends a request of the protocol; the status of a broken connection is 0. */
function request(
  item: Item,
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: Blob,
): Promise<XMLHttpRequest> {
  const { promise, resolve } = Promise.withResolvers<XMLHttpRequest>();
  const sent = new XMLHttpRequest();
  const begin = item.offset ?? 0;
  let stalled = setTimeout(() => sent.abort(), STALLED_MS);
  sent.upload.addEventListener('progress', ({ loaded }) => {
    clearTimeout(stalled);
    stalled = setTimeout(() => sent.abort(), STALLED_MS);
    item.show('', begin + loaded);
  });
  sent.addEventListener('loadend', () => {
    clearTimeout(stalled);
    item.request = null;
    resolve(sent);
  });
  sent.open(method, url);
  for (const [name, value] of Object.entries({ 'Tus-Resumable': '1.0.0', ...headers }))
    sent.setRequestHeader(name, value);
  item.request = sent;
  sent.send(body ?? null);
  return promise;
}

function metadataOf(values: Record<string, string>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',');
}

/** Sends the next request for a file: creates its upload, requests its offset, or sends its bytes. */
async function step(item: Item, endpoint: string, sender: string): Promise<XMLHttpRequest> {
  const { file, address, offset } = item;
  if (address === null) {
    const metadata = metadataOf({ filename: file.name, filetype: file.type, uploaderName: sender });
    const headers = { 'Upload-Length': String(file.size), 'Upload-Metadata': metadata };
    const response = await request(item, 'POST', endpoint, headers);
    if (response.status !== 201) return response;
    item.address = response.getResponseHeader('Location');
    item.offset = 0;
    sessionStorage.setItem(keyOf(file), item.address ?? '');
    return response;
  }
  const response =
    offset === null
      ? await request(item, 'HEAD', address, {})
      : await request(
          item,
          'PATCH',
          address,
          { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
          file.slice(offset),
        );
  item.offset = null;
  const received = response.getResponseHeader('Upload-Offset');
  if (response.status < 300 && received !== null) item.offset = Number(received);
  // Cancelled or expired: the upload starts over.
  if (response.status === 404 || response.status === 410) item.address = null;
  return response;
}

const RETRIABLE = new Set([0, 404, 409, 410, 423, 429, 500, 502, 503, 504]);

/** Sends a file until it has arrived or is refused permanently. */
export async function send(item: Item, endpoint: string, sender: string): Promise<void> {
  item.state = 'sending';
  while (item.state === 'sending') {
    const isNew = item.address === null;
    const response = await step(item, endpoint, sender);
    if (item.state !== 'sending') return;
    const { status } = response;
    if (status > 0 && response.getResponseHeader('Posthouse-File-Id') !== null) {
      item.state = 'sent';
      item.show(texts.arrivedFile, item.file.size);
    } else if (status >= 200 && status < 300) {
      item.failures = 0;
      item.show('', item.offset ?? 0);
    } else if (isFinal(status, isNew)) {
      item.state = 'refused';
      item.show(detailOf(response));
    } else {
      await pause(item, response);
    }
  }
  sessionStorage.removeItem(keyOf(item.file));
}

/** Reports whether a repetition of the request would be refused, too. @param isNew the request began the upload */
function isFinal(status: number, isNew: boolean): boolean {
  return !RETRIABLE.has(status) || (isNew && (status === 404 || status === 410));
}

/** Waits before the next attempt, at least as long as the server demands. */
async function pause(item: Item, response: XMLHttpRequest): Promise<void> {
  item.show(response.status === 429 ? texts.waiting : texts.connectionLost);
  const ms = RETRY_MS[Math.min(item.failures++, RETRY_MS.length - 1)] ?? 0;
  await sleep(Math.max(ms, 1000 * Number(response.getResponseHeader('Retry-After') ?? 0)));
}

function detailOf({ responseText, status }: XMLHttpRequest): string {
  try {
    return (JSON.parse(responseText) as { detail: string }).detail;
  } catch {
    return texts.refused(status);
  }
}

/** Returns the address of the upload of a file that was begun before this page was reloaded. */
export const begunUpload = (file: File) => sessionStorage.getItem(keyOf(file)) || null;

/** Stops the upload of a file, and deletes its data on the server. */
export function cancel(item: Item): void {
  item.state = 'refused';
  item.request?.abort();
  if (item.address) void request(item, 'DELETE', item.address, {});
  sessionStorage.removeItem(keyOf(item.file));
}
