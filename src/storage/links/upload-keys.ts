import type { Vault } from '../../kernel/crypto/vault.ts';
import { isId } from '../../kernel/ids.ts';
import { notFound } from '../../kernel/problem.ts';
import type { StoredLink } from './link.ts';

/**
 * The last segment of the address of a resumable upload through a link: its id with a signature, since only the visitor
 * who began it may continue it. A new password of the link ends it.
 */
export interface UploadKeys {
  keyOf(link: StoredLink, id: string): string;
  /** Returns the id of an upload. @throws Problem 404 */
  idOf(link: StoredLink, key: string): string;
}

const PURPOSE = 'upload through a link';

export function createUploadKeys(vault: Vault): UploadKeys {
  const textOf = (link: StoredLink, id: string) => `${link.id} ${link.passwordHash} ${id}`;
  return {
    keyOf: (link, id) => `${id}.${vault.sign(PURPOSE, textOf(link, id))}`,
    idOf(link, key) {
      const [id = '', signature = ''] = key.split('.');
      if (!isId(id) || !vault.verify(PURPOSE, textOf(link, id), signature)) throw notFound();
      return id;
    },
  };
}
