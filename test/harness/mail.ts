import { type Posthouse, runJson } from './process.ts';

/** An application that may send, with what it signs in with. */
export interface MailClient {
  ClientId: string;
  ClientSecret: string;
}

export async function addMailClient(settings: Record<string, string>, name: string, ...flags: string[]): Promise<MailClient> {
  return await runJson<MailClient>(settings, 'mail-client', 'add', '--name', name, ...flags);
}

export interface SendAnswer {
  Id: string;
  Status: string;
  MessageId: string | null;
  Recipients: { Address: string; Status: string; Error: string | null }[];
  sandbox?: true;
}

export interface ProblemAnswer {
  code: string;
  detail: string;
  errors?: { path: string; message: string }[];
}

/** Posts JSON as a client. */
export async function post(
  posthouse: Posthouse,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: SendAnswer & ProblemAnswer }> {
  const answer = await posthouse.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as SendAnswer & ProblemAnswer };
}

export function basic({ ClientId, ClientSecret }: MailClient): Record<string, string> {
  return { Authorization: `Basic ${btoa(`${ClientId}:${ClientSecret}`)}` };
}

export interface MessageState {
  Id: string;
  Status: string;
  MessageId: string | null;
  Attempts: number;
  LastError: string | null;
  NextAttempt: string | null;
  DateFinished: string | null;
  Recipients: { Address: string; Status: string; Error: string | null }[];
}

export async function messageState(posthouse: Posthouse, client: MailClient, id: string): Promise<MessageState> {
  const answer = await posthouse.fetch(`/messages/${id}`, { headers: basic(client) });
  if (!answer.ok) throw new Error(`the state of message ${id}: ${answer.status}`);
  return (await answer.json()) as MessageState;
}

/** Asks until the message is in `status`, a minute at most. */
export async function untilStatus(posthouse: Posthouse, client: MailClient, id: string, status: string): Promise<MessageState> {
  return await until(posthouse, client, id, (state) => state.Status === status);
}

/** Asks until one attempt at least was made, a minute at most. */
export async function untilAttempted(posthouse: Posthouse, client: MailClient, id: string): Promise<MessageState> {
  return await until(posthouse, client, id, ({ Attempts }) => Attempts > 0);
}

async function until(posthouse: Posthouse, client: MailClient, id: string, fits: (state: MessageState) => boolean): Promise<MessageState> {
  for (let tries = 0; tries < 600; tries++) {
    const state = await messageState(posthouse, client, id);
    if (fits(state)) return state;
    await Bun.sleep(100);
  }
  throw new Error(`the message ${id} never came so far`);
}
