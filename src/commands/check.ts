import { createHolds } from '../kernel/leases/holds.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { checkStorage, type DamagedFile, type Findings } from '../storage/upkeep/check.ts';
import { MAX_IDS } from '../storage/upkeep/misplaced-rows.ts';
import { checkRenditions } from '../storage/upkeep/renditions.ts';
import { BadResult, createCommand, SETTINGS_HELP, withFoundation } from './shared/cli.ts';
import { print } from './shared/output.ts';
import { createProgress } from './shared/progress.ts';

/** Maximum number of ids in a line. */
const SHOWN_IDS = 5;

const HELP = `
Reads every file and compares it with the checksum taken at its upload. The server may run meanwhile. With --repair,
damaged files are moved to the trash, where their owners can restore them for a few days, lost thumbnails and previews
are scheduled for rendering, wrong totals and the workspaces of links are corrected, and links to erased folders and
blobs that no row has referenced for an hour are deleted. The exit status is 1 when a file is missing or corrupt.
With --renditions, no file is read: missing and failed thumbnails and previews are scheduled, and the running server
renders them.${SETTINGS_HELP}`;

/** `posthouse check`. */
export function defineCommand(about: string) {
  const command = createCommand('check', about, HELP)
    .option('--repair', 'repair what can be repaired')
    .option('--renditions', 'only schedule missing and failed thumbnails and previews for rendering')
    .action(async ({ repair = false, renditions = false, json = false }) => {
      if (renditions) return await renewRenditions(command);
      const progress = createProgress(process.stderr, !json);
      const findings = await withFoundation(command, async ({ database, clock }, config, secrets) => {
        const blobs = openBlobs(config.blobs, secrets.s3);
        const holds = createHolds({ database, clock });
        return await checkStorage({ database, clock, blobs, holds, progress: progress.show }, repair);
      });
      progress.end();
      const { files, missing, corrupt, orphaned } = findings;
      const counts = { files, missing: missing.length, corrupt: corrupt.length, orphaned: orphaned.length };
      print(command, counts, describe(findings, repair));
      if (missing.length + corrupt.length > 0) throw new BadResult();
    });
  return command;
}

/** Schedules missing and failed renditions, which the server then renders. */
async function renewRenditions(command: ReturnType<typeof createCommand>): Promise<void> {
  const found = await withFoundation(command, async ({ database }, config, secrets) =>
    checkRenditions({ database, blobs: openBlobs(config.blobs, secrets.s3) }, new Set(['missing', 'failed'])),
  );
  const { pictures } = found;
  const [missing, failed] = [found.missing.length, found.failed.length];
  const pending = found.pending + missing + failed;
  print(
    command,
    { pictures, missing, failed, pending },
    `${pictures} pictures checked: ${missing} without renditions, ${failed} with failed ones. ` +
      `The server will render ${pending}.`,
  );
}

function describe(findings: Findings, repair: boolean): string {
  const { files, missing, corrupt, damagedInTrash, orphaned, renditionsLost, miscounted } = findings;
  const { deadLinks, misplacedLinks, strays, circles } = findings;
  const named = (state: string, damaged: readonly DamagedFile[]) =>
    damaged.map(({ id, originalName }) => {
      const note = repair ? ' (now in the trash)' : '';
      return `${state}: ${id} ${JSON.stringify(originalName)}${note}`;
    });
  const when = (found: readonly unknown[], sentence: string, repaired = '') =>
    found.length > 0 ? [`${sentence}${repair ? repaired : ''}.`] : [];
  const some = (ids: readonly string[]) =>
    `${ids.length}${ids.length === MAX_IDS ? ' or more' : ''} (${ids.slice(0, SHOWN_IDS).join(', ')})`;
  const counts = `${missing.length} missing, ${corrupt.length} corrupt; orphaned blobs: ${orphaned.length}.`;
  return [
    ...named('missing', missing),
    ...named('corrupt', corrupt),
    `${files} files checked: ${counts}`,
    ...when(damagedInTrash, `${damagedInTrash.length} more in the trash or of earlier versions are damaged`),
    ...when(
      renditionsLost,
      `Thumbnails or previews of ${renditionsLost.length} files are missing`,
      ' and will be rendered again',
    ),
    ...when(deadLinks, `${deadLinks.length} links lead to erased folders`, ' and are deleted'),
    ...when(
      misplacedLinks,
      `${misplacedLinks.length} links are in a different workspace from their folders`,
      ' and are corrected',
    ),
    ...when(
      strays,
      `${some(strays)} files, folders or versions are in a different workspace from their folder`,
    ),
    ...when(circles, `${some(circles)} folders are inside themselves or below such a folder`),
    ...when(miscounted, `The used bytes of ${miscounted.length} workspaces were wrong`, ' and are corrected'),
  ].join('\n');
}
