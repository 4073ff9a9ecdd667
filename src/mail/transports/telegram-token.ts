import { SECOND } from '../../kernel/clock.ts';
import { invalidField } from '../../kernel/problem.ts';
import { fetchWithAnswers } from './telegram-answers.ts';

/** Time limit of the check of an entered token. */
const CHECK_SECONDS = 5;

/**
 * Checks an entered token with Telegram. `tokenChecked` is false when Telegram did not respond; it is absent
 * without a token.
 * @throws Problem 400 that names `telegramToken` when Telegram refuses it
 */
export type CheckTelegramToken = (token: string | null | undefined) => Promise<{ tokenChecked?: boolean }>;

/** https://core.telegram.org/bots/api#getme */
export function createTelegramTokenCheck({ apiUrl }: { apiUrl: string }): CheckTelegramToken {
  return async (token) => {
    if (!token) return {};
    const { Api, GrammyError } = await import('grammy');
    const options = { apiRoot: apiUrl, timeoutSeconds: CHECK_SECONDS, fetch: fetchWithAnswers };
    try {
      await new Api(token, options).getMe(AbortSignal.timeout(CHECK_SECONDS * SECOND) as never);
      return { tokenChecked: true };
    } catch (error) {
      const code = error instanceof GrammyError ? error.error_code : null;
      if (code === 401 || code === 404)
        throw invalidField(
          'telegramToken',
          'was refused by Telegram. Copy it from @BotFather: /mybots, API Token',
        );
      return { tokenChecked: false };
    }
  };
}
