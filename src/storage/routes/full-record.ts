import type { z } from '@hono/zod-openapi';
import type { StoredFile } from '../tree/files/file.ts';
import type { RoutesDeps } from './deps.ts';
import { metadata, type metadataSchema } from './records.ts';

/** Returns the metadata of a file with its key and tokens, for members who may share it. */
export async function fullRecord(
  { files, namesOf }: Pick<RoutesDeps, 'files' | 'namesOf'>,
  file: StoredFile,
): Promise<z.infer<typeof metadataSchema>> {
  return metadata(file, files.accessKeyOf(file), await namesOf([file]));
}
