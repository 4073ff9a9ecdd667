import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { loadSmtp } from './smtp-library.ts';

type Options = ConstructorParameters<typeof SMTPConnection>[0];

/** RFC 6531 §3.5 and §4: the reply of a server that cannot accept the address. */
export const UTF8_REFUSED = {
  code: 553,
  response: '553 5.6.7 The mail server does not support addresses with such characters (SMTPUTF8).',
};

/** Reports whether an address can only be sent to a server with SMTPUTF8. Its domain is in ASCII already. */
export function needsUtf8(address: string): boolean {
  return /[^ -~]/.test(address);
}

/** Connects and reports whether the server offers SMTPUTF8 (RFC 6531 §3.1), which the library does not require. */
export async function offersUtf8(options: Options, signal: AbortSignal): Promise<boolean> {
  const { Connection } = await loadSmtp();
  const connection = new Connection(options);
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The mail server took too long')), {
        once: true,
      });
      connection.once('error', reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    // The reply to the last EHLO.
    return /^250[ -]SMTPUTF8\b/im.test(String(connection.lastServerResponse));
  } finally {
    connection.close();
  }
}
