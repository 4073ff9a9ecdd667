import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import { createTimeSlices } from '../../kernel/event-loop/time-slices.ts';
import type { TreeFolder } from '../tree/folders/subtree.ts';
import { arrange, ExportEntry } from './export-entries.ts';
import { layOutZip } from './zip/zip.ts';

const LEVELS = 200;
const FILES = 2_000;

const folders = Array.from(
  { length: LEVELS },
  (_, level): TreeFolder => ({
    id: `${level}`,
    parent_id: level === 0 ? 'root' : `${level - 1}`,
    name: 'n'.repeat(255),
    date_created: 0,
  }),
);
const files = Array.from(
  { length: FILES },
  (_, index) =>
    new ExportEntry({
      name: `file ${index}`,
      size: 0,
      crc32: 0,
      modified: 0,
      sha256: '',
      blobKey: `${index}`,
    }),
);

const memory = () => {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
};

test('the layout of files in deep folders does not keep their paths', async () => {
  const giveWay = createTimeSlices();
  const before = memory();
  const entries = await arrange('root', folders, new Map([[`${LEVELS - 1}`, files]]), giveWay);
  const zip = await layOutZip(entries, () => [], giveWay);
  expect(memory() - before).toBeLessThan(20_000_000);
  expect(zip.length).toBeGreaterThan(2 * FILES * LEVELS * 255);
  expect(entries.at(-1)?.path).toBe(`${`${'n'.repeat(255)}/`.repeat(LEVELS)}file ${FILES - 1}`);
});
