import type { ExternalIssuer } from './login/external.ts';
import type { Origins } from './origins.ts';

export interface IdentitySettings {
  origins: Origins;
  /** Origins of pages that may use tokens. */
  corsOrigins: readonly string[];
  /** Number of processes of this server. */
  processes: number;
  /** Null = the embedded issuer. */
  external: ExternalIssuer | null;
  /** Addresses that may have an account at an external issuer. */
  admitted: { allowed: readonly string[]; adminEmail: string | null };
}
