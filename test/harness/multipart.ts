/** One part of a form: a field, or a file when it has a name of its own. */
export interface FormPart {
  name: string;
  value: string | Uint8Array;
  fileName?: string;
  type?: string;
}

const BOUNDARY = 'posthouse-test-boundary';

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A multipart body as it goes over the wire, with the parts in just this order and the names in just these bytes. */
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

/** `body` without a length known beforehand, in chunks of `size` bytes. */
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
