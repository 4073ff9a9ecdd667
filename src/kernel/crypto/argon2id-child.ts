import { serveJobs } from '../compute/child.ts';
import { createArgon2id } from './argon2id.ts';

/** A password to hash, or to verify with a hash. */
export interface PasswordJob {
  password: string;
  hash?: string;
}

await serveJobs(([memoryCost, timeCost]) => {
  const argon2id = createArgon2id({ memoryCost: Number(memoryCost), timeCost: Number(timeCost) });
  return async ({ value }) => {
    const { password, hash } = value as PasswordJob;
    if (hash === undefined) return { value: await argon2id.hash(password) };
    return { value: await argon2id.verify(password, hash) };
  };
});
