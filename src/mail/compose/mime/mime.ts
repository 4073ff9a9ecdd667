import { extname } from 'node:path';
import type { Mailbox } from './addresses.ts';
import type { Attachment } from './attachments.ts';
import { needsEncodedWords } from './folding.ts';
import { isUnstructured } from './headers.ts';

/** The content of an e-mail. An object of a caller could set other options of the library. */
interface MailFields {
  /** Message-ID with its angle brackets. */
  headerId: string;
  date: Date;
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  replyTo: Mailbox | null;
  subject: string;
  text: string;
  html: string | null;
  attachments: readonly Attachment[];
  headers: Record<string, string>;
}

/** Loads the library, so that the first e-mail does not wait for it. */
export async function loadComposer() {
  const [{ default: MailComposer }, mimeFuncs] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  return { MailComposer, mimeFuncs };
}

type Library = Awaited<ReturnType<typeof loadComposer>>;
type MimeFuncs = Library['mimeFuncs'];

/** Returns the unsigned message (RFC 5322 and MIME). It does not contain the Bcc recipients. */
export async function buildMime(mail: MailFields): Promise<Buffer> {
  const { MailComposer, mimeFuncs } = await loadComposer();
  const headers = Object.entries(mail.headers).map(([key, value]) => ({
    key,
    value: isUnstructured(key) ? encodedText(value, mimeFuncs) : value.trimEnd(),
  }));
  const message = new MailComposer({
    messageId: mail.headerId,
    date: mail.date,
    from: mailbox(mail.from),
    to: mail.to.map(mailbox),
    cc: mail.cc.map(mailbox),
    ...(mail.replyTo && { replyTo: mailbox(mail.replyTo) }),
    subject: encodedText(mail.subject, mimeFuncs),
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: mail.attachments.map((attachment) => attachmentOf(attachment, mimeFuncs)),
    headers,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  encodeNames(message, mimeFuncs);
  return await message.build();
}

function mailbox({ name, address }: Mailbox): { name: string; address: string } {
  return { name, address };
}

/** Returns the text of an unstructured field; the library encodes other than ASCII text. */
function encodedText(text: string, mimeFuncs: MimeFuncs): string {
  const trimmed = text.trimEnd();
  return needsEncodedWords(trimmed) ? encodedWords(trimmed, mimeFuncs) : trimmed;
}

/** Length of an encoded word at which the library begins another; RFC 2047 §2 allows 75. */
const ENCODED_WORD_LENGTH = 52;

function encodedWords(text: string, { encodeWord }: MimeFuncs): string {
  return encodeWord(text, 'Q', ENCODED_WORD_LENGTH);
}

/** Changes `message` so that its display names are encoded where necessary: the library would only quote them. */
function encodeNames(
  message: ReturnType<Library['MailComposer']['prototype']['compile']>,
  mimeFuncs: MimeFuncs,
) {
  const encode = message.encodeHeaderValue.bind(message);
  message.encodeHeaderValue = (key, value) => {
    if (!['From', 'To', 'Cc', 'Reply-To'].includes(key)) return encode(key, value);
    return [value as Mailbox | Mailbox[]]
      .flat()
      .map(({ name, address }) =>
        needsEncodedWords(name)
          ? `${encodedWords(name, mimeFuncs)} <${encode(key, { address })}>`
          : encode(key, { name, address }),
      )
      .join(', ');
  };
}

function attachmentOf({ fileName, contentType, content, contentId }: Attachment, mimeFuncs: MimeFuncs) {
  const disposition = contentId === null ? 'attachment' : 'inline';
  return {
    content,
    contentType: contentType ?? typeOf(fileName, mimeFuncs),
    ...(contentId === null ? {} : { cid: contentId, contentDisposition: disposition }),
    ...(needsEncodedWords(fileName)
      ? {
          // The library would repeat the name as it is in `Content-Type`; here, it encodes it (RFC 2231).
          filename: false as const,
          contentDisposition: `${disposition}; filename=${mimeFuncs.quoteString(fileName)}`,
        }
      : { filename: fileName }),
  };
}

function typeOf(fileName: string, { detectMimeType }: MimeFuncs): string {
  const type = detectMimeType(extname(fileName).slice(1).toLowerCase());
  // The library would attach a message without encoding it, which changes its bytes and breaks the signature.
  return /^(?:message|multipart)\//.test(type) ? 'application/octet-stream' : type;
}
