import { MB, utf8Text } from '../../kernel/bytes.ts';
import { requireBoundary } from '../../kernel/http/bodies/form-body.ts';
import { MultipartError, type PartHead } from '../../kernel/http/bodies/multipart-fields.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { unknownFields } from '../../kernel/http/fields.ts';
import { invalidField } from '../../kernel/problem.ts';
import type { Intake } from '../intake/ingest.ts';
import { createMultipartParser, type PartSink } from './multipart/multipart.ts';

/** Fields of an upload, in any order, and the header fields of its file part. */
export interface UploadForm {
  fields: Record<string, string>;
  /** Null = the part has none. */
  fileName: string | null;
  mediaType: string | null;
}

export const emptyForm = (): UploadForm => ({ fields: {}, fileName: null, mediaType: null });

const MAX_FIELD_BYTES = 65_536;
/** Maximum bytes other than the file: fields, preamble and epilogue. */
const MAX_OTHER_BYTES = 16 * MB;

/**
 * Reads a multipart body to its end. The bytes of the part `file` are streamed to the intake, with backpressure;
 * unknown parts are refused.
 * @param names names of the other fields
 * @param form filled while the body is read; the fields before the file are filled in when its first bytes arrive
 * @throws Problem 415, 400 that names the field or the body; the errors of the intake
 */
export async function readUploadForm(
  c: Ctx,
  intake: Intake,
  names: readonly string[],
  form: UploadForm = emptyForm(),
): Promise<UploadForm> {
  let file: PartHead | undefined;
  let waiting: Promise<void> | undefined;
  await readFileForm(c, {
    names,
    fields: form.fields,
    file(head) {
      if (file) throw invalidField('file', 'must appear only once');
      file = head;
      Object.assign(form, { fileName: head.fileName, mediaType: head.mediaType });
      return {
        write(bytes) {
          waiting = intake.write(bytes);
        },
        end() {},
      };
    },
    settled() {
      const last = waiting;
      waiting = undefined;
      return last;
    },
  });
  if (!file) throw invalidField('file', 'is required');
  return form;
}

interface FileFormReader {
  names: readonly string[];
  /** Filled while the body is read. */
  fields: Record<string, string>;
  maxParts?: number;
  /** Called for each part `file`; returns the sink of its bytes, which are valid until `settled` is called. */
  file(head: PartHead): PartSink;
  /** Called after each chunk of the body; the next is read after the promise. */
  settled(): Promise<void> | undefined;
}

/** Reads a multipart body to its end. @throws as `readUploadForm`, and the errors of the reader */
export async function readFileForm(
  c: Ctx,
  { names, fields, maxParts, file, settled }: FileFormReader,
): Promise<void> {
  const boundary = requireBoundary(c);
  let otherBytes = 0;

  const partOf = (head: PartHead): PartSink => {
    const field = fieldPart(head.name, names, fields);
    if (field) return field;
    if (head.name.toLowerCase() !== 'file') throw unknownFields([head.name]);
    const sink = file(head);
    return {
      write(bytes) {
        otherBytes -= bytes.byteLength;
        sink.write(bytes);
      },
      end: sink.end,
    };
  };
  const parser = createMultipartParser(boundary, partOf, maxParts);

  const reader = c.req.raw.body?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      otherBytes += chunk.value.byteLength;
      parser.write(chunk.value);
      if (otherBytes > MAX_OTHER_BYTES)
        throw invalidField('body', `has more than ${MAX_OTHER_BYTES} bytes in addition to the file`);
      await settled();
    }
    parser.end();
  } catch (error) {
    // Waits for the bytes before the error. This error is reported, not one of theirs.
    await settled()?.catch(() => {});
    reader?.cancel().catch(() => {});
    throw error instanceof MultipartError
      ? invalidField('body', `is not multipart/form-data: ${error.message}`)
      : error;
  }
}

/** Returns the sink of a field among `names`, which writes its text into `fields`; null for another part. */
function fieldPart(given: string, names: readonly string[], fields: Record<string, string>): PartSink | null {
  const field = names.find((name) => name.toLowerCase() === given.toLowerCase());
  if (field === undefined) return null;
  if (fields[field] !== undefined) throw invalidField(field, 'must appear only once');
  fields[field] = '';
  return fieldSink(field, (text) => {
    fields[field] = text;
  });
}

function fieldSink(name: string, done: (text: string) => void): PartSink {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    write(bytes) {
      size += bytes.byteLength;
      if (size > MAX_FIELD_BYTES) throw invalidField(name, `must have at most ${MAX_FIELD_BYTES} bytes`);
      chunks.push(bytes);
    },
    end() {
      try {
        done(utf8Text(Buffer.concat(chunks)));
      } catch {
        throw invalidField(name, 'must be text in UTF-8');
      }
    },
  };
}
