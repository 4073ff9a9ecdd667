import { expect, test } from 'bun:test';
import { chunksIn } from '../../kernel/content.ts';
import { ContentResponse } from '../../kernel/http/content/content-response.ts';
import { notFound } from '../../kernel/problem.ts';
import { sendZip } from './zip.ts';

const CHUNK = 1_000_000;

test('a download ends when access to it is revoked', async () => {
  let checks = 0;
  let isReleased = false;
  const zip = {
    etag: '"a"',
    key: 'a',
    count: 9,
    length: 9 * CHUNK,
    async *read() {
      try {
        for (let chunk = 0; chunk < 9; chunk++) yield new Uint8Array(CHUNK);
      } finally {
        isReleased = true;
      }
    },
  };
  const answer = await sendZip(new Request('http://here/zip'), async () => zip, {
    name: 'a',
    secretUsed: false,
    async recheck() {
      if (++checks > 3) throw notFound();
    },
  });
  let received = 0;
  const read = async () => {
    const content = answer instanceof ContentResponse ? answer.content : new Uint8Array();
    for await (const chunk of chunksIn(content)) received += chunk.byteLength;
  };
  await expect(read()).rejects.toThrow('does not exist');
  expect([received, isReleased]).toEqual([3 * CHUNK, true]);
});
