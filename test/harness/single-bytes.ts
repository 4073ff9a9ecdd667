/** Returns a body that has one byte per chunk, and the number of chunks that were read. */
export function singleBytes(count: number) {
  let read = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (read++ < count) controller.enqueue(new Uint8Array(1));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => read };
}
