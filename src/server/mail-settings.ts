import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { ehloName } from '../mail/ehlo-name.ts';
import type { MailSettings } from '../mail/settings.ts';

/** Returns the settings of mail. @param origins of this server, its public URL first */
export function mailSettings(
  config: Config,
  secrets: Secrets,
  origins: readonly [string, ...string[]],
): MailSettings {
  const [publicUrl] = origins;
  return {
    publicUrl,
    ownOrigins: origins.map((origin) => new URL(origin).origin),
    smtp: config.smtp && {
      ...config.smtp,
      credentials: secrets.smtp && { username: secrets.smtp.user, password: secrets.smtp.password },
    },
    smtpName: config.smtpName ?? ehloName(publicUrl),
    sender: config.mailFrom,
    dkim: config.dkim && secrets.dkimKey !== null ? { ...config.dkim, privateKey: secrets.dkimKey } : null,
    telegram: { apiUrl: config.telegram.apiUrl, token: secrets.telegramToken },
    allowPrivateHosts: config.allowPrivateHosts,
    corsOrigins: config.corsOrigins,
    trackOpens: config.trackOpens,
    geoipDatabase: config.geoipDatabase,
    processes: config.processes,
  };
}
