import { createArgon2id } from '../../src/kernel/crypto/argon2id.ts';
import { createPasswords } from '../../src/kernel/crypto/passwords.ts';

/** The lowest cost of a hash. */
export const LOWEST_COST = { memoryCost: 8, timeCost: 1 };

export const cheapPasswords = createPasswords(createArgon2id(LOWEST_COST));
