import { multipart as formOf, MULTIPART_TYPE } from '../../test/harness/multipart.ts';

/** Returns an upload form with one file, and its `Content-Type`. */
export function multipart(value: Uint8Array) {
  const file = { name: 'file', value, fileName: 'bench.bin', type: 'application/octet-stream' };
  return { type: MULTIPART_TYPE, body: formOf([file]) };
}
