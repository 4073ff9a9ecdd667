import type { EmailRequest } from '../email-request.ts';
import { type AttachmentFields, decodeBase64 } from '../mime/attachments.ts';
import type { TextFields } from './draft.ts';

/**
 * The texts and attachments of a large request, as bytes that this process does not parse: the JSON of the fields,
 * with indexes in place of the attachments' contents, then the contents.
 */
export type PackedContent = readonly Uint8Array[];

/** The fields that the server process reads. */
export type EmailRest = Omit<EmailRequest, keyof TextFields | 'Attachments'>;

/** Divides a request into the packed part and the fields that this process reads. */
export function packContent({ Attachments = [], ...request }: EmailRequest): {
  packed: PackedContent;
  rest: EmailRest;
} {
  const { Subject, Body, HtmlTemplate, TemplateData, StrictVariables, ...rest } = request;
  const texts: TextFields = { Subject, Body, HtmlTemplate, TemplateData, StrictVariables };
  const contents = Attachments.map(({ Content }) => decodeBase64(Content));
  const attachments = Attachments.map(({ Content: _, ...attachment }) => attachment);
  const isBase64 = contents.map((content) => content !== null);
  const json = Buffer.from(JSON.stringify({ texts, attachments, isBase64 }));
  return { packed: [json, ...contents.map((content) => content ?? new Uint8Array())], rest };
}

/** Returns the fields of a packed request. */
export function unpackContent([json, ...contents]: PackedContent): TextFields & {
  attachments: AttachmentFields[];
} {
  const { texts, attachments, isBase64 } = JSON.parse(Buffer.from(json ?? []).toString()) as {
    texts: TextFields;
    attachments: Omit<AttachmentFields, 'Content'>[];
    isBase64: boolean[];
  };
  return {
    ...texts,
    attachments: attachments.map((attachment, index) => ({
      ...attachment,
      Content: isBase64[index] ? (contents[index] ?? null) : null,
    })),
  };
}
