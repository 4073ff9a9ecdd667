import { z } from 'zod';
import { DAY } from '../../../kernel/clock.ts';
import type { MediaFacts } from '../../tree/files/file.ts';
import { EARLIEST_DATE, LATEST_DATE, MAX_CAMERA_LENGTH } from './formats.ts';

const MINUTES_OF_A_DAY = 24 * 60;
const MAX_MS = 100 * DAY;
/** Characters. */
const MAX_PLACEHOLDER_LENGTH = 2_000;
const pixels = z.int().min(1).max(1_000_000).nullable();

/** Facts from a child. It decodes hostile files, so they are checked like a request. */
export const mediaFacts: z.ZodType<MediaFacts> = z.strictObject({
  width: pixels,
  height: pixels,
  takenAt: z.int().min(EARLIEST_DATE).max(LATEST_DATE).nullable(),
  takenOffset: z.int().min(-MINUTES_OF_A_DAY).max(MINUTES_OF_A_DAY).nullable(),
  camera: z
    .string()
    .min(1)
    .max(MAX_CAMERA_LENGTH)
    .regex(/^\P{C}+$/u)
    .nullable(),
  placeholder: z
    .string()
    .max(MAX_PLACEHOLDER_LENGTH)
    .regex(/^[\w+/]+=*$/)
    .nullable(),
  durationMs: z.int().min(1).max(MAX_MS).nullable(),
});
