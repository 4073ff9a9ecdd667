import { serveJobs } from '../compute/child.ts';
import { argon2idInProcess } from './argon2id.ts';

/** A password to hash, or to verify with a hash. */
export interface PasswordJob {
  password: string;
  hash?: string;
}

await serveJobs(() => async ({ value }) => {
  const { password, hash } = value as PasswordJob;
  if (hash === undefined) return { value: await argon2idInProcess.hash(password) };
  return { value: await argon2idInProcess.verify(password, hash) };
});
