import type { Dkim } from './transports/pools.ts';
import type { ServerAccount } from './transports/smtp.ts';

/** The operator's settings. */
export interface MailSettings {
  /** Origin of this server, from which links are built. */
  publicUrl: string;
  /** Null = sandbox. */
  smtp: ServerAccount | null;
  /** Name of this server in EHLO. */
  smtpName: string;
  /** POSTHOUSE_MAIL_FROM. */
  sender: string | null;
  dkim: Dkim | null;
  /** @property token null = sandbox */
  telegram: { apiUrl: string; token: string | null };
  allowPrivateHosts: boolean;
  corsOrigins: readonly string[];
  /** Origins of this server, whose pages may post contact forms. */
  ownOrigins: readonly string[];
  /** Whether requests may enable open tracking. */
  trackOpens: boolean;
  /** File of a geolocation database with cities; null = the bundled one. */
  geoipDatabase: string | null;
  /** Number of processes of this server. */
  processes: number;
}
