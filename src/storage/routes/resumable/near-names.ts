import { editDistance } from '../../../kernel/edit-distance.ts';

/** Names of metadata that protect or publish a file. */
const PROTECTING = ['filepassword', 'accesskey', 'visibility'];
/** Names that other services use for these. */
const SYNONYMS = new Set(['password', 'access_key', 'expires']);
const NEAR = 2;

/** Reports whether a name protects or publishes a file. */
export function isProtecting(name: string): boolean {
  return PROTECTING.includes(name.toLowerCase());
}

/** Reports whether a name is so close to one that protects a file that it is treated as a misspelling. */
export function isMisspelt(name: string): boolean {
  const given = name.toLowerCase();
  return SYNONYMS.has(given) || PROTECTING.some((known) => known !== given && isNear(known, given));
}

/** Compares the lengths first, so that a long name costs nothing. */
const isNear = (known: string, given: string) =>
  Math.abs(known.length - given.length) <= NEAR && editDistance(known, given) <= NEAR;
