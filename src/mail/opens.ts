import { type Clock, DAY, isoTime } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { Places } from './places.ts';

/** One time that a mail was opened; of the reader's address only the place is kept. */
export interface Open {
  Time: string;
  Country: string | null;
  Region: string | null;
  /** A mail proxy or a prefetcher asked, so perhaps nobody has read it. */
  Automatic: boolean;
}

/** What is seen of whoever asks for a mail's pixel. */
export interface PixelRequest {
  address: string;
  userAgent: string | null;
  /** It says itself that it only fetches ahead. */
  prefetch: boolean;
}

export interface Opens {
  /** The address of the pixel in a mail. */
  pixelUrl(contentId: string): string;
  /** Counts an open; does nothing for a token that is not ours. */
  note(token: string, request: PixelRequest): Promise<void>;
  /** Oldest first. */
  list(contentId: string): Promise<Open[]>;
  sweep(): Promise<void>;
}

export const PIXEL_PATH = '/mail/opens';

const PURPOSE = 'mail open';
const SIGNATURE_LENGTH = 22;
/** Enough to see that a mail is read, too few to fill the disk. */
const MOST_KEPT_EACH = 200;
const KEPT_MS = 366 * DAY;
/** Proxies that fetch pictures when a mail arrives or is shown: Gmail, Yahoo, Outlook, Apple (which says no more than “Mozilla/5.0”). */
const PROXY =
  /GoogleImageProxy|ggpht\.com|YahooMailProxy|YahooCacheSystem|Microsoft Office|bingbot|BingPreview|facebookexternalhit|^Mozilla\/5\.0$/i;

export function createOpens({ database, vault, clock, places, publicUrl }: OpensParts): Opens {
  const signature = (contentId: string) => vault.sign(PURPOSE, contentId).slice(0, SIGNATURE_LENGTH);
  return {
    pixelUrl: (contentId) => `${publicUrl}${PIXEL_PATH}/${contentId}.${signature(contentId)}`,

    async note(token, { address, userAgent, prefetch }) {
      const [contentId = '', given] = token.split('.');
      if (!isId(contentId) || given !== signature(contentId)) return;
      const place = await places.find(address);
      await database.transaction(async (trx) => {
        const { count } = await trx
          .selectFrom('mail_opens')
          .select((of) => of.fn.countAll<number>().as('count'))
          .where('content_id', '=', contentId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MOST_KEPT_EACH) return;
        await trx
          .insertInto('mail_opens')
          .values({
            id: newId(),
            content_id: contentId,
            date_opened: clock.now(),
            country: place?.country ?? null,
            region: place?.region ?? null,
            automatic: prefetch || userAgent === null || PROXY.test(userAgent) ? 1 : 0,
          })
          .execute();
      });
    },

    async list(contentId) {
      const rows = await database.read.selectFrom('mail_opens').selectAll().where('content_id', '=', contentId).orderBy('id').execute();
      return rows.map((row) => ({
        Time: isoTime(row.date_opened),
        Country: row.country,
        Region: row.region,
        Automatic: row.automatic === 1,
      }));
    },

    async sweep() {
      await database.transaction((trx) =>
        trx
          .deleteFrom('mail_opens')
          .where('date_opened', '<', clock.now() - KEPT_MS)
          .execute(),
      );
    },
  };
}

interface OpensParts {
  database: Database;
  vault: Vault;
  clock: Clock;
  places: Places;
  /** An origin. */
  publicUrl: string;
}

/** `html` with the pixel at the end of what is shown. */
export function withPixel(html: string, url: string): string {
  const pixel = `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`;
  const end = html.toLowerCase().lastIndexOf('</body>');
  return end < 0 ? `${html}${pixel}` : `${html.slice(0, end)}${pixel}${html.slice(end)}`;
}
