import type { Guard } from '../identity/guard.ts';
import type { Database } from '../kernel/database/database.ts';
import type { LiveEvent, Topic } from '../kernel/events.ts';
import type { App } from '../kernel/http/context.ts';
import type { Transport } from '../kernel/outbox/message.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { History } from './history.ts';
import { mountMessageLog } from './routes/log.ts';
import type { Describe } from './routes/records.ts';
import { mountResend } from './routes/resend.ts';

interface MessagesDeps {
  database: Database;
  outbox: Outbox;
  history: History;
  /** Each describes the messages of its kind. */
  transports: readonly Transport[];
  guard: Guard;
}

/** Mounts the administrators' log of all messages. */
export function mountMessages(app: App, { transports, ...deps }: MessagesDeps): void {
  const describe: Describe = (kind, payload) =>
    transports.find((transport) => transport.kind === kind)?.about?.(payload) ?? { title: '', to: [] };
  mountMessageLog(app, { ...deps, describe, kinds: transports.map(({ kind }) => kind) });
  mountResend(app, deps);
}

const TOPIC = 'messages';

/** Returns the event for new messages of a kind, or a change of their status. */
export function messagesChanged(kind: string): LiveEvent {
  return { topic: TOPIC, data: { kind } };
}

/** Changes of messages, for administrators. */
export const messagesTopic: Topic = {
  name: TOPIC,
  async audience(events, watchers) {
    const admins = watchers.filter(({ role }) => role === 'admin');
    return events.map(() => admins);
  },
};
