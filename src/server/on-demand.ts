import type { Config } from '../config/config.ts';
import { loadLibrary } from '../identity/issuer/library.ts';
import { SECOND } from '../kernel/clock.ts';
import { openDescriptorLimit } from '../kernel/http/listener/descriptors.ts';
import type { Log } from '../kernel/log.ts';

/** Loads a module that is not needed for the start. */
type Load = (log: Log) => Promise<unknown>;

const FOR_SIGN_IN: readonly Load[] = [() => import('openid-client'), () => import('../doctor/doctor.ts')];
const FOR_MAIL: readonly Load[] = [
  () => import('nodemailer'),
  () => import('nodemailer/lib/mail-composer'),
  () => import('nodemailer/lib/mime-funcs'),
  () => import('nodemailer/lib/smtp-connection'),
  () => import('grammy'),
  () => import('maxmind'),
  () => import('postal-mime'),
];
const FOR_FILES: readonly Load[] = [
  () => import('file-type'),
  () => import('../storage/routes/resumable/tus.ts'),
];

/** Warns of a kernel that does not confine programs for untrusted input, which otherwise only `doctor` reports. */
async function checkConfined(log: Log): Promise<void> {
  const { checkConfinement } = await import('../doctor/confinement/confinement.ts');
  await checkConfinement().catch((error: Error) => log.warn(error.message));
}

/** Time left to requests after the start, and between two modules. */
const PAUSE_MS = { first: 10 * SECOND, next: SECOND / 20 };

/** With fewer file descriptors, requests may use all of them before the modules are loaded. */
const MANY_DESCRIPTORS = 10_000;

/**
 * Loads, soon after the start, the modules that would otherwise be loaded at their first use. A module that fails to
 * load because the process has no descriptors left cannot be loaded until the process restarts, so that all are loaded
 * before the call ends where descriptors are few.
 * @returns a function that ends the loading
 */
export async function loadOnDemand(config: Config, log: Log): Promise<() => void> {
  const descriptorLimit = openDescriptorLimit();
  const hasMany = descriptorLimit() >= MANY_DESCRIPTORS;
  let isOver = false;
  const pause = (ms: number) => (hasMany ? Bun.sleep(ms) : undefined);
  async function loadAll(): Promise<void> {
    await pause(PAUSE_MS.first);
    for (const load of modulesOf(config)) {
      if (isOver) return;
      await load(log).catch((error) => log.error({ error }, 'a module cannot be loaded'));
      await pause(PAUSE_MS.next);
    }
    log.debug('all modules are loaded');
  }
  const loading = loadAll();
  if (!hasMany) await loading;
  return () => {
    isOver = true;
  };
}

function modulesOf({ services, externalIssuer }: Config): Load[] {
  return [
    checkConfined,
    ...(services.has('storage') ? FOR_FILES : []),
    ...(services.has('mail') ? FOR_MAIL : []),
    ...(services.has('chat') ? [() => import('@discordjs/rest')] : []),
    ...(services.has('identity') ? FOR_SIGN_IN : []),
    ...(services.has('identity') && externalIssuer === null ? [loadLibrary] : []),
  ];
}
