import { createTransport } from 'nodemailer';

/** The baseline of `bench/mail.ts`: the mail library alone, with the same e-mails and connections. */
const [port, count, connections] = process.argv.slice(2).map(Number);
const transport = createTransport({
  pool: true,
  host: '127.0.0.1',
  port,
  ignoreTLS: true,
  maxConnections: connections,
  maxMessages: Number.POSITIVE_INFINITY,
});
await Promise.all(
  Array.from({ length: count ?? 0 }, (_, index) =>
    transport.sendMail({
      from: 'Bench <bench@example.org>',
      to: 'ada@example.org',
      subject: `Mail ${index}`,
      html: `<p>Dear reader,</p><p>this is mail ${index}.</p>${'<p>Some more of it.</p>'.repeat(40)}`,
      text: `Dear reader, this is mail ${index}. ${'Some more of it. '.repeat(40)}`,
    }),
  ),
);
transport.close();
