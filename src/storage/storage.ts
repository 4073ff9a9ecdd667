import { throwUnlessUnavailable } from '../kernel/errors/unavailable.ts';
import type { Service } from '../kernel/service.ts';
import { createStoreProbe } from './blobs/store-probe.ts';
import { countPending } from './delivery/renditions/claims.ts';
import { createStorageModules, type StorageDeps } from './modules.ts';
import { mountStorage } from './routes/routes.ts';
import { addStorageMetrics, countLinks } from './storage-metrics.ts';
import type { Teams } from './teams/teams.ts';
import { filesTopic } from './tree/changes.ts';
import { scheduleStorage } from './upkeep/schedule.ts';

export interface Storage extends Service {
  tokens: Pick<Teams['tokens'], 'find' | 'rolesOf'>;
  /** Returns the shared workspaces without a manager who can sign in. */
  unmanaged: Teams['administration']['unmanaged'];
  /** Returns the numbers of pictures that are still to be rendered, and of links to folders and to chosen files. */
  counts(): Promise<{ picturesPending: number; links: number }>;
}

/** Files in folders of workspaces, and access to them. */
export function createStorage(deps: StorageDeps): Storage {
  const { database, blobs, instance } = deps;
  const modules = createStorageModules(deps);
  const { teams, tree, intake, links, delivery } = modules;
  addStorageMetrics(deps.metrics, database, blobs);
  return {
    mount: (app) => mountStorage(app, deps, modules),
    tokens: teams.tokens,
    topics: [filesTopic(database)],
    unmanaged: teams.administration.unmanaged,
    counts: async () => ({
      picturesPending: await countPending(database),
      links: (await countLinks(database)).count,
    }),
    probes: { blobs: createStoreProbe(deps) },
    async start() {
      if (instance.previousId === null) return;
      await tree.quota.forget(instance.previousId);
      await intake.uploads.locks.forgetLocks(instance.previousId);
    },
    registerTasks: (upkeep) => scheduleStorage(upkeep, deps, modules),
    async stop() {
      intake.stop();
      await delivery.renditions.stop();
      // The counts are informative.
      await delivery.downloads.flush().catch(throwUnlessUnavailable);
      await links.downloads.flush().catch(throwUnlessUnavailable);
    },
  };
}
