import { type Clock, DAY, isoTime } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { deleteOld } from '../kernel/database/delete-old.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { Geoip } from './geoip.ts';

/** An opening of an e-mail. Of the reader's address, only the location is kept. */
export interface Open {
  Time: string;
  Country: string | null;
  Region: string | null;
  /** A mail proxy or a prefetcher fetched the pixel, so the e-mail may be unread. */
  Automatic: boolean;
}

export interface PixelRequest {
  address: string;
  userAgent: string | null;
  /** The request declares itself a prefetch. */
  prefetch: boolean;
}

export interface Opens {
  pixelUrl(contentId: string): string;
  /** Records an opening; ignores a token with a wrong signature. */
  record(token: string, request: PixelRequest): Promise<void>;
  /** Returns the openings of an e-mail, oldest first. */
  list(contentId: string): Promise<Open[]>;
  sweep(): Promise<void>;
}

export const PIXEL_PATH = '/mail/opens';

const PURPOSE = 'mail open';
const SIGNATURE_LENGTH = 22;
/** Enough to show that an e-mail is read, too few to fill the disk. */
const MAX_KEPT_EACH = 200;
const KEPT_MS = 366 * DAY;
/** Proxies that fetch pictures: of Gmail, Yahoo, Outlook, Apple (which sends “Mozilla/5.0” only). */
const PROXY = new RegExp(
  [
    'GoogleImageProxy|ggpht\\.com|YahooMailProxy|YahooCacheSystem|Microsoft Office',
    'bingbot|BingPreview|facebookexternalhit|^Mozilla/5\\.0$',
  ].join('|'),
  'i',
);

export interface OpensDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
  geoip: Geoip;
  publicUrl: string;
}

export function createOpens({ database, vault, clock, geoip, publicUrl }: OpensDeps): Opens {
  const isSigned = (contentId: string, given: string) =>
    vault.verify(PURPOSE, contentId, given, SIGNATURE_LENGTH);
  return {
    pixelUrl(contentId) {
      const signature = vault.sign(PURPOSE, contentId).slice(0, SIGNATURE_LENGTH);
      return `${publicUrl}${PIXEL_PATH}/${contentId}.${signature}`;
    },

    async record(token, { address, userAgent, prefetch }) {
      const [contentId = '', given = ''] = token.split('.');
      if (!isId(contentId) || !isSigned(contentId, given)) return;
      const location = await geoip.locate(address, 'en');
      await database.transaction(async (trx) => {
        const { count } = await trx
          .selectFrom('mail_opens')
          .select((of) => of.fn.countAll<number>().as('count'))
          .where('content_id', '=', contentId)
          .executeTakeFirstOrThrow();
        if (count >= MAX_KEPT_EACH) return;
        await trx
          .insertInto('mail_opens')
          .values({
            id: newId(),
            content_id: contentId,
            date_opened: clock.now(),
            country: location?.country ?? null,
            region: location?.region ?? null,
            automatic: prefetch || userAgent === null || PROXY.test(userAgent) ? 1 : 0,
          })
          .execute();
      });
    },

    async list(contentId) {
      const rows = await database.read
        .selectFrom('mail_opens')
        .select(['date_opened', 'country as Country', 'region as Region', 'automatic'])
        .where('content_id', '=', contentId)
        .orderBy('id')
        .execute();
      return rows.map(({ date_opened, automatic, ...place }) => ({
        Time: isoTime(date_opened),
        ...place,
        Automatic: automatic === 1,
      }));
    },

    async sweep() {
      const before = clock.now() - KEPT_MS;
      await deleteOld(database, 'mail_opens', ['id'], (where) => where('date_opened', '<', before));
    },
  };
}
