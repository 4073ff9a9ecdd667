import type { Database } from '../../kernel/database/database.ts';
import { fromRow, type StoredFile } from '../tree/files/file.ts';

const PAGE = 200;

/** Returns every file, including those in the trash. */
export async function* everyFile(database: Database): AsyncIterable<StoredFile> {
  for (let after = ''; ; ) {
    const rows = await database.read
      .selectFrom('files')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows) yield fromRow(row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
