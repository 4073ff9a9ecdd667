import type { Api } from 'grammy';
import { SECOND } from '../../kernel/clock.ts';
import { shareRuns } from '../../kernel/share-runs.ts';

/**
 * Tracks whether Telegram responds. A message without a response may have arrived, so it is not sent again. To limit
 * the number of these messages, none is sent while Telegram accepts connections and does not respond.
 */
export interface TelegramReach {
  /** Reports whether messages may be sent. After one without a response, this waits for a response to `getMe`. */
  answers(api: Pick<Api, 'getMe'>): Promise<boolean>;
  /** Records a message without a response. */
  unanswered(): void;
}

const PROBE_MS = 5 * SECOND;

export function createTelegramReach(): TelegramReach {
  let isSilent = false;

  const probe = shareRuns(async (api: Pick<Api, 'getMe'>): Promise<boolean> => {
    const { GrammyError } = await import('grammy');
    isSilent = await api.getMe(AbortSignal.timeout(PROBE_MS) as never).then(
      () => false,
      // A refusal is a response.
      (error) => !(error instanceof GrammyError),
    );
    return !isSilent;
  });

  return {
    async answers(api) {
      return !isSilent || (await probe(api));
    },
    unanswered() {
      isSilent = true;
    },
  };
}
