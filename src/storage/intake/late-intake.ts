import type { Intake } from './ingest.ts';

/** Creates an intake that calls `begin` when its first bytes arrive, or at its end when there are none. */
export function createLateIntake(begin: () => Promise<Intake>): Intake {
  let begun: Promise<Intake> | undefined;
  let intake: Intake | undefined;
  let writing: Promise<void> | undefined;

  function start(): Promise<Intake> {
    begun ??= begin().then((created) => {
      intake = created;
      return created;
    });
    return begun;
  }

  return {
    write(bytes) {
      if (intake) return intake.write(bytes);
      // Further bytes may follow in the same turn.
      const before = writing ?? Promise.resolve();
      writing = before.then(async () => (await start()).write(bytes));
      return writing;
    },
    finish: async (hint) => (await start()).finish(hint),
    async abort() {
      const created = await begun?.catch(() => undefined);
      await created?.abort();
    },
  };
}
