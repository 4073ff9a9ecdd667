/** Returns an upload form with one file, and its `Content-Type`. */
export function multipart(bytes: Uint8Array): { type: string; body: Buffer } {
  const boundary = 'posthouse-bench-boundary';
  const open = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(open), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
