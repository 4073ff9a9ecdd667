import type { MailContent, MailHead } from '../mime/build-mail.ts';
import type { TelegramRequest } from '../telegram/request.ts';
import type { Draft, TemplateSource } from './draft.ts';

/** Jobs of the child process: `rendering.ts` starts them, `child.ts` runs them. */
export type RenderJob =
  /** Returns `{subject}` and the MIME message. */
  | { kind: 'mail'; head: MailHead; content: MailContent }
  /** Returns the same for a packed request, which is passed as blobs. */
  | { kind: 'packed mail'; head: MailHead; template: TemplateSource | null }
  /** Returns null, and the JSON of the content as a blob. */
  | { kind: 'preview'; draft: Draft }
  /** Returns the messages. */
  | { kind: 'telegram'; request: TelegramRequest };
