import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { openLocalBlobs } from '../blobs/local.ts';
import { createGarbage } from './garbage.ts';
import { createHasher } from './hashing/hasher.ts';
import { createIngest } from './ingest.ts';

test('bytes that are admitted after an upload was aborted create no file', async () => {
  const directory = freshDirectory();
  const ingest = createIngest({
    blobs: openLocalBlobs(directory),
    fileBytes: 2_000_000,
    hasher: createHasher(),
    garbage: createGarbage(),
  });
  const admitted = Promise.withResolvers<void>();
  const intake = ingest.begin(0, () => admitted.promise);
  const writing = intake.write(Buffer.alloc(524_288));
  await intake.abort();
  admitted.resolve();
  await writing;
  await intake.write(Buffer.alloc(524_288));
  expect(readdirSync(join(directory, 'unfinished'))).toEqual([]);
});
