import { createHolds } from '../kernel/holds.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { checkStorage, type DamagedFile, type Findings } from '../storage/check.ts';
import { createCommand, print, withFoundation } from './command.ts';
import { createProgress } from './progress.ts';

const HELP = `
Reads every file and compares it with the checksum that was taken when it came in. The server may run meanwhile.
With --repair, damaged files go to the trash of their owners, who can still restore them for some days, thumbnails that
are gone are made anew, sums are put right, and files that nobody has owned for an hour are deleted. Exits with 1 when
something is missing or corrupt.
Settings are flags here too: posthouse serve --help lists them.`;

/** `posthouse check`. */
export function checkCommand() {
  const command = createCommand('check', 'compare every stored file with its checksum', HELP)
    .option('--repair', 'mend what can be mended')
    .action(async ({ repair = false, json = false }) => {
      const progress = createProgress(process.stderr, 'checked', !json);
      const findings = await withFoundation(command, async ({ database, clock }, config, secrets) =>
        checkStorage(
          {
            database,
            clock,
            blobs: openBlobs(config.blobs, secrets.s3),
            holds: createHolds({ database, clock }),
            progress: progress.tell,
          },
          repair,
        ),
      );
      progress.end();
      const { files, missing, corrupt, orphaned } = findings;
      const counts = { files, missing: missing.length, corrupt: corrupt.length, orphaned: orphaned.length };
      print(command, counts, describe(findings, repair));
      if (missing.length + corrupt.length > 0) process.exitCode = 1;
    });
  return command;
}

function describe({ files, missing, corrupt, damagedInTrash, orphaned, thumbnailsLost, miscounted }: Findings, repair: boolean): string {
  const named = (state: string, damaged: readonly DamagedFile[]) =>
    damaged.map(({ id, originalName }) => `${state}: ${id} ${JSON.stringify(originalName)}${repair ? ' (now in the trash)' : ''}`);
  return [
    ...named('missing', missing),
    ...named('corrupt', corrupt),
    `${files} files checked: ${missing.length} missing, ${corrupt.length} corrupt. ${orphaned.length} stored without an owner.`,
    ...(damagedInTrash.length > 0 ? [`${damagedInTrash.length} more in the trash cannot be restored whole.`] : []),
    ...(thumbnailsLost.length > 0
      ? [`The thumbnails of ${thumbnailsLost.length} files are gone${repair ? ' and will be made anew' : ''}.`]
      : []),
    ...(miscounted.length > 0
      ? [`The used bytes of ${miscounted.length} workspaces were wrong${repair ? ' and are right now' : ''}.`]
      : []),
  ].join('\n');
}
