import type { z } from '@hono/zod-openapi';
import type { NamesOf } from '../teams/names.ts';
import type { StoredFile } from '../tree/files/file.ts';
import type { Files } from '../tree/files/files.ts';
import { metadata, type metadataSchema } from './records.ts';

export interface RecordDeps {
  files: Files;
  namesOf: NamesOf;
}

/** Returns the metadata of a file with its key and tokens, for members who may share it. */
export async function fullRecord(
  { files, namesOf }: RecordDeps,
  file: StoredFile,
): Promise<z.infer<typeof metadataSchema>> {
  return metadata(file, files.accessKeyOf(file), await namesOf([file]));
}
