/** One part of a form: a file if it has a file name, else a field. */
export interface FormPart {
  name: string;
  value: string | Uint8Array;
  fileName?: string;
  type?: string;
}

const BOUNDARY = 'posthouse-test-boundary';

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Returns a multipart body with the parts in this order and the names in exactly these bytes. */
export function multipart(parts: readonly FormPart[]): Buffer<ArrayBuffer> {
  return Buffer.concat([
    ...parts.flatMap(({ name, value, fileName, type }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n${
          type === undefined ? '' : `Content-Type: ${type}\r\n`
        }\r\n`,
      ),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

/** Returns `body` as a stream of unknown length, in chunks of `size` bytes. */
export function chunked(body: Uint8Array, size = 16_384): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.byteLength) return controller.close();
      controller.enqueue(body.subarray(at, at + size));
      at += size;
    },
  });
}
