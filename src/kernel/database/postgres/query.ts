import { connect } from 'node:net';
import type { Client } from 'pg';
import { SECOND } from '../../clock.ts';
import { classify, NoResponse } from './errors.ts';

/**
 * Runs a statement, and cancels it and ends the connection when there is no response within `limitMs`.
 * @throws NoResponse, ConnectionBroken, Unavailable, DatabaseError
 */
export async function queryInTime(
  client: Client,
  limitMs: number,
  statement: string | { name?: string; text: string },
  values: readonly unknown[],
): Promise<unknown> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    cancel(client);
    client.connection.stream.destroy();
  }, limitMs);
  try {
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement;
    return await client.query({ name, text, values: [...values] });
  } catch (error) {
    throw isLate
      ? new NoResponse('database', `no response within ${limitMs} ms`, { cause: error })
      : classify(error);
  } finally {
    clearTimeout(timer);
  }
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: CancelRequest */
const CANCEL = { bytes: 16, code: 80_877_102 };
const CANCEL_MS = 5 * SECOND;

/**
 * Cancels the statement of a connection, over another one. Outside transactions, statements have no limit on the
 * server, which detects the end of a connection only when it sends the result.
 */
function cancel(client: Client): void {
  const { processID, secretKey, host, port } = client as Client & {
    processID: number | null;
    secretKey: number | null;
  };
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(CANCEL.bytes);
  for (const [index, word] of [CANCEL.bytes, CANCEL.code, processID, secretKey].entries())
    request.writeInt32BE(word, index * 4);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  socket.once('error', () => {});
  socket.end(request);
}
