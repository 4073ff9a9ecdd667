import { bufferOf } from '../../../kernel/bytes.ts';
import { MultipartError, type PartHead, parseHead } from '../../../kernel/http/bodies/multipart-fields.ts';
import {
  beginsWithDelimiter,
  closesBody,
  endOfDelimiterLine,
  LINE_END,
  possibleDelimiter,
} from './delimiter.ts';

/** Receives a part's bytes, in order. */
export interface PartSink {
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface MultipartParser {
  /** @throws MultipartError, and the errors of sinks */
  write(chunk: Uint8Array): void;
  /** Call after the last chunk. @throws MultipartError when the closing delimiter was not reached */
  end(): void;
}

const MAX_HEAD_BYTES = 16_384;
/** Maximum number of parts, unless the caller permits another. */
const MAX_PARTS = 100;
const NOTHING = Buffer.alloc(0);
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Creates a parser of multipart/form-data (RFC 7578, RFC 2046 §5.1). It buffers only the possible beginning of a
 * delimiter, and copies bytes of a part only when a chunk ends within one.
 * @param part called for each part; returns the sink of its bytes
 */
export function createMultipartParser(
  boundary: string,
  part: (head: PartHead) => PartSink,
  maxParts = MAX_PARTS,
): MultipartParser {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let state: 'preamble' | 'after delimiter' | 'head' | 'body' | 'epilogue' = 'preamble';
  let parts = 0;
  let sink: PartSink | undefined;
  // A body may begin with its first delimiter, without the line end before it.
  let held: Buffer = LINE_END;

  /** Keeps bytes until the next chunk. */
  const hold = (data: Buffer): null => {
    held = data;
    return null;
  };

  /** Passes bytes to the sink up to the next delimiter. Returns the rest; null when more bytes are needed. */
  const passBody = (data: Buffer): Buffer | null => {
    const at = data.indexOf(delimiter);
    const safe = at === -1 ? data.length - possibleDelimiter(data, delimiter) : at;
    if (safe > 0) sink?.write(data.subarray(0, safe));
    if (at === -1) return hold(data.subarray(safe));
    sink?.end();
    sink = undefined;
    state = 'after delimiter';
    return data.subarray(at + delimiter.length);
  };

  /** Parses the rest of the delimiter's line: `--` ends the body, and the line end begins the head. */
  const passDelimiterLine = (data: Buffer): Buffer | null => {
    if (closesBody(data)) {
      state = 'epilogue';
      return null;
    }
    const end = endOfDelimiterLine(data);
    if (end === -1) return hold(data);
    if (++parts > maxParts) throw new MultipartError(`there are more than ${maxParts} parts`);
    state = 'head';
    // The line end is kept, so that the head of a part without header fields ends like the others.
    return data.subarray(end);
  };

  const passHead = (data: Buffer): Buffer | null => {
    const end = data.indexOf(HEAD_END);
    if ((end === -1 ? data.length : end) > MAX_HEAD_BYTES)
      throw new MultipartError('the head of a part is too long');
    if (end === -1) return hold(data);
    sink = part(parseHead(data.subarray(0, end)));
    state = 'body';
    return data.subarray(end + HEAD_END.length);
  };

  /** Returns the held bytes with those of a chunk. Most bodies begin with a delimiter; then nothing is copied. */
  const joined = (fresh: Buffer): Buffer => {
    if (held !== LINE_END || !beginsWithDelimiter(fresh, delimiter)) return Buffer.concat([held, fresh]);
    state = 'after delimiter';
    return fresh.subarray(delimiter.length - LINE_END.length);
  };

  return {
    write(chunk) {
      if (state === 'epilogue') return;
      const fresh = bufferOf(chunk);
      let data: Buffer | null = held.length === 0 ? fresh : joined(fresh);
      held = NOTHING;
      while (data !== null) {
        if (state === 'preamble' || state === 'body') data = passBody(data);
        else if (state === 'after delimiter') data = passDelimiterLine(data);
        else data = passHead(data);
      }
    },
    end() {
      if (state !== 'epilogue') throw new MultipartError('the body ends before its closing delimiter');
    },
  };
}
