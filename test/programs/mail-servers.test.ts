import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { BACKENDS, freshSettings } from '../harness/backends.ts';
import { addMailClient, type MailClient, post } from '../harness/mail.ts';
import { freePort } from '../harness/peers.ts';
import { type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { findProgram, runProgram, startProgram } from '../harness/programs.ts';
import { until } from '../harness/until.ts';

const MB = 1_048_576;

interface MailServer {
  program: string;
  /** Starts it on `port`. It writes e-mails to example.org up to 2 MB into files of `inbox`, and refuses nobody@. */
  start(port: number, directory: string, inbox: string): Promise<AsyncDisposable>;
}

const answers = (port: number) => async () =>
  await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );

/** Services of postfix with a socket for all of its users. */
const PUBLIC = new Set(['cleanup', 'qmgr']);

const SERVERS: MailServer[] = [
  {
    program: 'postfix',
    async start(port, directory, inbox) {
      const uid = (await runProgram('id', '-u', 'nobody')).trim();
      const main = `compatibility_level = 3.6
queue_directory = ${directory}/queue
data_directory = ${directory}/data
inet_interfaces = 127.0.0.1
myhostname = mx.example.org
mydestination =
smtpd_banner = $myhostname ESMTP
smtpd_helo_required = yes
smtpd_helo_restrictions = reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname
smtpd_recipient_restrictions = check_recipient_access inline:{{nobody@example.org = REJECT No such person}}, reject_unauth_destination
message_size_limit = ${2 * MB}
virtual_mailbox_domains = example.org
virtual_mailbox_base = ${inbox}
virtual_mailbox_maps = static:all/
virtual_minimum_uid = 1
virtual_uid_maps = static:${uid}
virtual_gid_maps = static:${uid}
`;
      const service = (name: string, command: string, most: '-' | 0 | 1, wakeUp = '-') =>
        `${name} unix ${PUBLIC.has(name) ? 'n' : 'y'} ${name === 'virtual' ? 'n' : 'y'} n ${wakeUp} ${most} ${command}`;
      const master = [
        `127.0.0.1:${port} inet n - n - - smtpd`,
        service('cleanup', 'cleanup', 0),
        service('qmgr', 'qmgr', 1, '300'),
        service('rewrite', 'trivial-rewrite', '-'),
        ...['bounce', 'defer', 'trace'].map((name) => service(name, 'bounce', 0)),
        service('virtual', 'virtual', '-'),
        service('anvil', 'anvil', 1),
        service('proxymap', 'proxymap', '-'),
      ].join('\n');
      mkdirSync(join(directory, 'queue'));
      mkdirSync(join(directory, 'data'));
      await runProgram('chown', 'postfix', join(directory, 'data'));
      await Bun.write(join(directory, 'main.cf'), main);
      await Bun.write(join(directory, 'master.cf'), `${master}\n`);
      await runProgram('postfix', '-c', directory, 'check');
      await runProgram('postfix', '-c', directory, 'start');
      await until(answers(port));
      return {
        async [Symbol.asyncDispose]() {
          await runProgram('postfix', '-c', directory, 'stop');
        },
      };
    },
  },
  {
    program: 'exim4',
    async start(port, directory, inbox) {
      const file = join(directory, 'exim.conf');
      await Bun.write(
        file,
        `keep_environment =
spool_directory = ${directory}/spool
log_file_path = ${directory}/spool/%slog
primary_hostname = mx.example.org
domainlist local_domains = example.org
acl_smtp_rcpt = rcpt
acl_smtp_data = data
message_size_limit = ${2 * MB}
smtputf8_advertise_hosts = *
tls_advertise_hosts =
begin acl
rcpt:
  deny local_parts = nobody
       message = No such person
  accept domains = +local_domains
  deny message = relay not permitted
data:
  deny condition = \${if !def:h_Message-ID: {yes}{no}}
  require verify = header_syntax
  accept
begin routers
all:
  driver = accept
  transport = file
begin transports
file:
  driver = appendfile
  directory = ${inbox}
  user = Debian-exim
`,
      );
      mkdirSync(join(directory, 'spool'));
      await runProgram('chown', 'Debian-exim', join(directory, 'spool'));
      return await startProgram(
        ['exim4', '-C', file, '-bdf', '-q1m', '-oX', `127.0.0.1.${port}`, '-oP', `${directory}/pid`],
        directory,
        answers(port),
      );
    },
  },
];

/** Both change to their unprivileged users. */
const isRoot = process.getuid?.() === 0;

for (const { program, start } of SERVERS) {
  const name = `e-mails to ${program}`;
  const isMissing = findProgram(program) === null;
  if (!isMissing && isRoot) describe(name, () => testServer(start));
  else {
    const reason = isMissing ? 'not installed' : 'only root can start mail servers';
    test.skipIf(true)(`${name} (skipped: ${reason})`, () => {});
  }
}

function testServer(start: MailServer['start']): void {
  let server: AsyncDisposable;
  let posthouse: Posthouse;
  let client: MailClient;
  // The servers run as other users, for whom the directories of other tests, and perhaps TMPDIR, are closed.
  const root = mkdtempSync('/tmp/posthouse-mail-server-');
  const [directory, inbox] = [join(root, 'server'), join(root, 'inbox')];

  beforeAll(async () => {
    const port = await freePort();
    for (const made of [directory, inbox]) mkdirSync(made);
    for (const open of [root, directory]) chmodSync(open, 0o755);
    chmodSync(inbox, 0o777);
    server = await start(port, directory, inbox);
    posthouse = await startPosthouse({
      ...(await freshSettings(BACKENDS[0])),
      POSTHOUSE_SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`,
      POSTHOUSE_SMTP_NAME: 'posthouse.example.net',
      POSTHOUSE_MAIL_FROM: 'Posthouse <post@example.net>',
    });
    client = await addMailClient(posthouse.settings, 'app', '--services', 'email');
  });
  afterAll(async () => {
    await posthouse?.stop();
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });

  const send = (body: Record<string, unknown>) =>
    post(posthouse, '/requestemail', { ...client, To: 'ada@example.org', Subject: 'x', Body: 'x', ...body });
  /** Both servers rename an e-mail when it is whole: postfix from another directory, exim from another name. */
  const filesBelow = () =>
    readdirSync(inbox, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.parentPath.endsWith('/tmp') && !entry.name.startsWith('temp.'),
    );
  const arrived = (messageId: string | null) =>
    until(async () => {
      const texts = filesBelow().map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
      const found = texts.find((text) => text.includes(messageId ?? 'none'));
      return found && (await simpleParser(found));
    });

  test('an e-mail with attachments arrives unchanged', async () => {
    const content = crypto.getRandomValues(new Uint8Array(50_000));
    const { body } = await send({
      To: ['Åda <ada@example.org>'],
      Bcc: ['hidden@example.org'],
      Subject: 'Grüße 🚀 '.repeat(20).trim(),
      HtmlTemplate: `<p>${'long line '.repeat(300)}</p>`,
      Attachments: [{ FileName: 'Übersicht.eml', Content: Buffer.from(content).toString('base64') }],
    });
    expect(body.Recipients.map(({ Status }) => Status)).toEqual(['Sent', 'Sent']);
    const mail = await arrived(body.MessageId);
    expect(mail.subject).toBe('Grüße 🚀 '.repeat(20).trim());
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['Übersicht.eml']);
    expect(mail.attachments[0]?.content.equals(content)).toBe(true);
    expect(mail.headerLines.map(({ key }) => key)).not.toContain('bcc');
  });

  test('a refused recipient fails, and the others receive the e-mail', async () => {
    const { status, body } = await send({ To: ['ada@example.org', 'nobody@example.org'] });
    expect([status, body.Recipients.map(({ Status }) => Status)]).toEqual([200, ['Sent', 'Failed']]);
    expect(body.Recipients[1]?.Error).toContain('No such person');
    await arrived(body.MessageId);
  });

  test('an e-mail that is too large is refused before it is sent', async () => {
    const { status, body } = await send({ Body: 'x'.repeat(3 * MB) });
    expect([status, body.code]).toEqual([502, 'platform_rejected']);
  });

  test('an address with other characters than ASCII uses SMTPUTF8', async () => {
    const { body } = await send({ To: 'jürgen@example.org' });
    expect(body.Status).toBe('Sent');
    await arrived(body.MessageId);
  });
}
