import { contentAddress, folderUsage, zipAddress } from '../../../api/storage.ts';
import { attempt, notify } from '../../../components/notify.tsx';
import type { Entry } from '../entries.ts';
import { texts } from '../texts.ts';

const DELAY_MS = 300;

/** Downloads files, with a delay between them: browsers drop downloads that start together. */
export function download(addresses: readonly string[]): void {
  addresses.forEach((address, index) => {
    setTimeout(() => {
      const link = document.createElement('a');
      link.href = address;
      link.download = '';
      document.body.append(link);
      link.click();
      link.remove();
    }, index * DELAY_MS);
  });
}

/** Downloads files, and folders as ZIP files. */
export const downloadEntries = (entries: readonly Entry[]) =>
  attempt(async () => download((await Promise.all(entries.map(addressesOf))).flat()));

/** Returns the address of an entry, or reports that it is a folder without files, for which there is no ZIP file. */
async function addressesOf({ kind, id, name }: Entry): Promise<string[]> {
  if (kind === 'file') return [contentAddress(id)];
  const { fileCount } = await folderUsage(id);
  if (fileCount > 0) return [zipAddress(id)];
  notify(texts.noFilesIn(name));
  return [];
}
