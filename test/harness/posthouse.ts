import { accountsIn } from './accounts.ts';
import { foundationOf } from './foundation.ts';

export * from './command.ts';
export * from './process.ts';
export { startPosthouse, startProcess } from './start.ts';

/** Creates accounts, tokens and sessions over a database that stays open for the tests of the file. */
export const { addAdmin, addPerson, addToken, openSession, signInAdmin } = accountsIn(
  async (settings, work) => await work(await foundationOf(settings)),
);
