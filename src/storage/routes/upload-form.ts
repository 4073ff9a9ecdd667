import type { Ctx } from '../../kernel/http/context.ts';
import { createMultipartParser, MultipartError, multipartBoundary, type PartHead, type PartSink } from '../../kernel/http/multipart.ts';
import { invalidField, Problem } from '../../kernel/http/problem.ts';
import type { Intake } from '../ingest.ts';

const FIELDS = ['originalName', 'visibility', 'filePassword', 'accessKey'] as const;
type Field = (typeof FIELDS)[number];

/** An upload's fields, in whatever order they came, and what its file part says of itself. */
export interface UploadForm {
  fields: Partial<Record<Field, string>>;
  /** Null = the part has none. */
  fileName: string | null;
  mediaType: string | null;
}

const LONGEST_FIELD = 65_536;
/** What may come beside the file: fields, parts that mean nothing here, text around them. */
const MOST_BESIDE = 16_777_216;

/**
 * Reads a multipart body to its end. The bytes of the part `file` go to the intake as they come, no faster than it takes
 * them; parts with other names are passed over.
 * @throws Problem 415, 400 that names the field or the body, and whatever the intake throws
 */
export async function readUploadForm(c: Ctx, intake: Intake): Promise<UploadForm> {
  const boundary = multipartBoundary(c.req.header('Content-Type'));
  if (boundary === null) throw new Problem('unsupported_media_type', 'The body must be multipart/form-data with a boundary.');
  const fields: UploadForm['fields'] = {};
  let file: PartHead | undefined;
  let waiting: Promise<void> | undefined;
  let beside = 0;

  const parser = createMultipartParser(boundary, (head) => {
    const field = FIELDS.find((name) => name === head.name);
    if (field !== undefined) {
      if (fields[field] !== undefined) throw invalidField(field, 'must stand once');
      fields[field] = '';
      return fieldSink(field, (text) => {
        fields[field] = text;
      });
    }
    if (head.name !== 'file') return IGNORED;
    if (file) throw invalidField('file', 'must stand once');
    file = head;
    return {
      write(bytes) {
        beside -= bytes.byteLength;
        waiting = intake.write(bytes);
      },
      end() {},
    };
  });

  const reader = c.req.raw.body?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      beside += chunk.value.byteLength;
      parser.write(chunk.value);
      if (beside > MOST_BESIDE) throw invalidField('body', `has more than ${MOST_BESIDE} bytes beside the file`);
      await waiting;
      waiting = undefined;
    }
    parser.end();
  } catch (error) {
    // What it waits for may fail as well, after this.
    waiting?.catch(() => {});
    reader?.cancel().catch(() => {});
    throw error instanceof MultipartError ? invalidField('body', `is not multipart/form-data: ${error.message}`) : error;
  }
  if (!file) throw invalidField('file', 'is required');
  return { fields, fileName: file.fileName, mediaType: file.mediaType };
}

const IGNORED: PartSink = { write() {}, end() {} };

function fieldSink(name: string, done: (text: string) => void): PartSink {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    write(bytes) {
      size += bytes.byteLength;
      if (size > LONGEST_FIELD) throw invalidField(name, `must have ${LONGEST_FIELD} bytes at most`);
      chunks.push(bytes);
    },
    end() {
      try {
        done(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)));
      } catch {
        throw invalidField(name, 'must be text in UTF-8');
      }
    },
  };
}
