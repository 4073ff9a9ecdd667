import { TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { SECOND } from '../../clock.ts';
import { isWithoutTls, postgresUnavailable } from './errors.ts';
import { SIGNAL_TIMES } from './limits.ts';
import { readPostgresUrl } from './url.ts';

/** TCP probes a silent peer, so that a connection whose peer is gone ends. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10 * SECOND };

/**
 * Opens a connection outside the pool. Close it by destroying its stream, which does not wait.
 * @throws Unavailable
 */
export async function openClient(url: string, limitMs: number): Promise<Client> {
  const { mayBePlain, ...connection } = readPostgresUrl(url);
  const connect = async (ssl: typeof connection.ssl): Promise<Client> => {
    const client = new Client({ ...connection, ssl, ...KEEP_ALIVE, connectionTimeoutMillis: limitMs });
    // Failures reach the caller with the statement; an error event without a listener would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      if (mayBePlain && isWithoutTls(error) && ssl) return await connect(false);
      throw postgresUnavailable(error);
    }
  };
  return await connect(connection.ssl);
}

/** Returns the version of TLS of a connection to `url`; null = it is not encrypted. @throws Unavailable */
export async function encryptionOf(url: string): Promise<string | null> {
  const client = await openClient(url, SIGNAL_TIMES.answerMs);
  const { stream } = client.connection;
  const protocol = stream instanceof TLSSocket ? (stream.getProtocol() ?? 'TLS') : null;
  stream.destroy();
  return protocol;
}
