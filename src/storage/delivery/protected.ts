/** A file, or a link to a folder or to chosen files. */
export type Shared = 'file' | 'link';

/** A file or link with the secrets that it requires. */
export interface Protected {
  kind: Shared;
  id: string;
  /** Sealed; null = none. */
  accessKey: string | null;
  /** Argon2id; null = none. */
  passwordHash: string | null;
}
