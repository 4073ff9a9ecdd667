import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { until } from '../harness/until.ts';

/** A received e-mail. `acknowledged: false` = the connection was dropped or left hanging instead. */
export interface ArrivedMail {
  from: string;
  to: string[];
  raw: string;
  parsed: ParsedMail;
  /** Received over TLS. */
  secure: boolean;
  /** User name of the authentication. */
  user: string | null;
  /** Id of its connection. */
  connection: string;
  /** Name of the client in EHLO. */
  ehlo: string;
  /** Parameters of MAIL (RFC 5321 §4.1.2). */
  parameters: Record<string, string | true>;
  acknowledged: boolean;
}

/** A failure of the next e-mail. */
export type Trouble =
  | { at: 'connect' | 'mail' | 'data'; code: number; text: string }
  /** Accepts the bytes, but does not respond until `release`. */
  | { at: 'data'; hang: true }
  /** Accepts the bytes, then closes the connection. */
  | { at: 'data'; drop: true }
  /** Accepts the bytes, then sends this in place of a reply, and closes the connection. */
  | { at: 'data'; raw: string };

export interface SmtpStandIn {
  host: string;
  port: number;
  mails: ArrivedMail[];
  /** Returns the number of connections since the start. */
  connections(): number;
  /** Returns the number of open connections. */
  open(): number;
  /** Adds failures, one for each of the next e-mails (or connections, for `at: 'connect'`), in order. */
  trouble(...troubles: Trouble[]): void;
  /** Removes pending failures. */
  clearTroubles(): void;
  /** Rejects a recipient; null = accepts it again. */
  refuse(address: string, reply: { code: number; text: string } | null): void;
  /** Closes the connections of hanging e-mails. */
  release(): void;
  /** Resolves with the first matching mail, past or future. */
  arrived(fits: (mail: ArrivedMail) => boolean): Promise<ArrivedMail>;
  stop(): Promise<void>;
}

interface SmtpStandInOptions {
  port?: number;
  /** `none`: no STARTTLS is offered; `starttls`: it is; `tls`: encrypted from the first byte. */
  tls?: 'none' | 'starttls' | 'tls';
  /** `stranger`: signed by an unknown authority. */
  certificate?: 'localhost' | 'stranger';
  /** Required credentials; null = none. */
  user?: { name: string; password: string } | null;
  /** Extensions in the reply to EHLO. */
  extensions?: { size?: number; hideSMTPUTF8?: boolean };
}

const CERTIFICATES = join(import.meta.dir, 'certificates');

/** An SMTP server that stores e-mails, parsed by `mailparser`, and fails on demand. */
export async function startSmtpStandIn(options: SmtpStandInOptions = {}): Promise<SmtpStandIn> {
  const { port = 0, tls = 'none', certificate = 'localhost', user = null, extensions = {} } = options;
  const mails: ArrivedMail[] = [];
  const troubles: Trouble[] = [];
  const refused = new Map<string, { code: number; text: string }>();
  const hanging = new Set<() => void>();
  let connections = 0;

  const troubleAt = (place: Trouble['at']): Trouble | undefined =>
    troubles[0]?.at === place ? troubles.shift() : undefined;
  const socketsOf = (session: SMTPServerSession): Socket[] =>
    [...(server.connections as Set<{ session: SMTPServerSession; _socket: Socket }>)]
      .filter((connection) => connection.session.id === session.id)
      .map(({ _socket }) => _socket);
  const breakConnection = (session: SMTPServerSession) => {
    for (const socket of socketsOf(session)) socket.destroy();
  };

  const server = new SMTPServer({
    secure: tls === 'tls',
    ...(tls === 'none' ? {} : { key: pem(`${certificate}.key`), cert: pem(`${certificate}.pem`) }),
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(user ? [] : ['AUTH'])],
    authOptional: user === null,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    ...extensions,
    onAuth(given, _session, done) {
      if (given.username === user?.name && given.password === user?.password)
        return done(null, { user: given.username });
      // Some servers repeat the command in their response.
      done(reply(535, `5.7.8 wrong password ${given.password ?? ''}`));
    },
    onConnect(_session, done) {
      connections++;
      const trouble = troubleAt('connect');
      done(trouble && 'code' in trouble ? reply(trouble.code, trouble.text) : null);
    },
    onMailFrom(_address, _session, done) {
      const trouble = troubleAt('mail');
      done(trouble && 'code' in trouble ? reply(trouble.code, trouble.text) : null);
    },
    onRcptTo({ address }, _session, done) {
      const refusal = refused.get(address.toLowerCase());
      done(refusal ? reply(refusal.code, refusal.text) : null);
    },
    onData(stream, session, done) {
      // An e-mail whose sender dies while sending it was not received.
      take(stream, session, done).catch(done);
    },
  });
  server.on('error', () => {});

  async function take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error?: Error | null, message?: string) => void,
  ) {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const trouble = troubleAt('data');
    if (trouble && 'code' in trouble) return done(reply(trouble.code, trouble.text));
    const mail: ArrivedMail = {
      from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
      to: session.envelope.rcptTo.map(({ address }) => address),
      raw: raw.toString('latin1'),
      parsed: await simpleParser(raw),
      secure: session.secure,
      user: session.user ? String(session.user) : null,
      connection: session.id,
      ehlo: String(session.hostNameAppearsAs),
      parameters: session.envelope.mailFrom === false ? {} : { ...session.envelope.mailFrom.args },
      acknowledged: trouble === undefined,
    };
    mails.push(mail);
    if (!trouble) done(null, 'taken');
    else if ('drop' in trouble) breakConnection(session);
    else if ('raw' in trouble) for (const socket of socketsOf(session)) socket.end(trouble.raw);
    else hanging.add(() => breakConnection(session));
  }

  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await listening;
  const address = server.server.address();

  return {
    host: '127.0.0.1',
    port: typeof address === 'object' && address ? address.port : port,
    mails,
    connections: () => connections,
    open: () => server.connections.size,
    trouble: (...more) => void troubles.push(...more),
    clearTroubles: () => void troubles.splice(0),
    refuse(recipient, answer) {
      if (answer) refused.set(recipient.toLowerCase(), answer);
      else refused.delete(recipient.toLowerCase());
    },
    release() {
      for (const letGo of hanging) letGo();
      hanging.clear();
    },
    arrived: (fits) => until(() => mails.find(fits)),
    async stop() {
      for (const connection of server.connections as Set<{ _socket: Socket }>) connection._socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

function pem(name: string): string {
  return readFileSync(join(CERTIFICATES, name), 'utf8');
}

function reply(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
