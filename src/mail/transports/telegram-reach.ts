import type { Api } from 'grammy';
import { SECOND } from '../../kernel/clock.ts';

/**
 * Whether Telegram answers. A message that was sent and not answered may have arrived, so it is not sent again. While
 * Telegram accepts connections and does not answer, such messages must not become many.
 */
export interface TelegramReach {
  /** Returns whether messages may be sent: after one without an answer, only once a call without effect has one. */
  answers(api: Pick<Api, 'getMe'>): Promise<boolean>;
  /** Notes a message without an answer. */
  unanswered(): void;
}

const ASKS_MS = 5 * SECOND;

export function createTelegramReach(): TelegramReach {
  let isSilent = false;
  let asked: Promise<boolean> | undefined;

  async function ask(api: Pick<Api, 'getMe'>): Promise<boolean> {
    const { GrammyError } = await import('grammy');
    isSilent = await api.getMe(AbortSignal.timeout(ASKS_MS) as never).then(
      () => false,
      // A refusal is an answer.
      (error) => !(error instanceof GrammyError),
    );
    return !isSilent;
  }

  return {
    async answers(api) {
      if (!isSilent) return true;
      asked ??= ask(api).finally(() => {
        asked = undefined;
      });
      return await asked;
    },
    unanswered() {
      isSilent = true;
    },
  };
}
