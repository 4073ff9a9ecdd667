import { runJson } from './command.ts';
import { postJson } from './json.ts';
import type { Posthouse } from './process.ts';
import { until } from './until.ts';

/** A mail client with its credentials. */
export interface MailClient {
  ClientId: string;
  ClientSecret: string;
}

export async function addMailClient(
  settings: Record<string, string>,
  name: string,
  ...flags: string[]
): Promise<MailClient> {
  return await runJson<MailClient>(settings, 'mail-client', 'add', '--name', name, ...flags);
}

/** Creates a client named `app` for all services, whose contact form writes to `contactTo`. */
export async function addFullMailClient(
  settings: Record<string, string>,
  contactTo: string,
  ...flags: string[]
): Promise<MailClient> {
  const services = ['--services', 'email,telegram,contact', '--with-contact', '--contact-to', contactTo];
  return await addMailClient(settings, 'app', ...services, ...flags);
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
  headers?: Record<string, string>,
): Promise<{ status: number; headers: Headers; body: SendAnswer & ProblemAnswer }> {
  const answer = await postJson(posthouse, path, body, headers);
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as SendAnswer & ProblemAnswer,
  };
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

export async function messageState(
  posthouse: Posthouse,
  client: MailClient,
  id: string,
): Promise<MessageState> {
  const answer = await posthouse.fetch(`/messages/${id}`, { headers: basic(client) });
  if (!answer.ok) throw new Error(`the state of message ${id}: ${answer.status}`);
  return (await answer.json()) as MessageState;
}

/** Waits until the message has the status. */
export async function untilStatus(
  posthouse: Posthouse,
  client: MailClient,
  id: string,
  status: string,
): Promise<MessageState> {
  return await until(async () => {
    const state = await messageState(posthouse, client, id);
    return state.Status === status && state;
  });
}

/** Waits until an attempt was made. */
export async function untilAttempted(
  posthouse: Posthouse,
  client: MailClient,
  id: string,
): Promise<MessageState> {
  return await until(async () => {
    const state = await messageState(posthouse, client, id);
    return state.Attempts > 0 && state;
  });
}
