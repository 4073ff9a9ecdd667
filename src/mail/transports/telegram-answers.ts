import { z } from 'zod';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { reasonFrom } from '../../kernel/outbox/message.ts';
import { fetchShort } from '../../kernel/short-response.ts';

/**
 * The fields of a response that are used before its result is (https://core.telegram.org/bots/api#making-requests).
 * `retry_after` is in seconds, at most the day for which a message is retried.
 */
const telegramResponse = z.union([
  z.looseObject({ ok: z.literal(true), result: z.unknown() }),
  z.looseObject({
    ok: z.literal(false),
    error_code: z.int(),
    description: z.string().transform(reasonFrom),
    parameters: z
      .looseObject({
        retry_after: z
          .number()
          .min(0)
          .transform((seconds) => Math.min(seconds, DAY / SECOND))
          .optional(),
        migrate_to_chat_id: z.int().optional(),
      })
      .optional(),
  }),
]);

/**
 * The response is not Telegram's: a proxy responded, or only a part of the response arrived. Without success, no
 * message was handed over to Telegram; with success, one may have been.
 */
export class ForeignResponse extends Error {
  override readonly name = 'ForeignResponse';
  readonly isSuccess: boolean;

  constructor({ status, ok }: Response) {
    super(`status ${status}`);
    this.isSuccess = ok;
  }
}

/** Requests a URL of the Bot API for the library. @throws ForeignResponse; errors of `fetch` */
export const fetchWithAnswers = (async (input: string, init: RequestInit) => {
  const response = await fetchShort(input, { ...init, keepalive: false, redirect: 'manual' });
  const body = telegramResponse.safeParse(await response.json().catch(() => null));
  if (!body.success) throw new ForeignResponse(response);
  return Response.json(body.data);
}) as unknown as typeof fetch;
