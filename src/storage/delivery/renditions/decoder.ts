import { type ComputeDeps, createCompute } from '../../../kernel/compute/compute.ts';
import type { Payload, SizedStream } from '../../../kernel/compute/frames.ts';
import { type Job, JobFailed, JobKilled } from '../../../kernel/compute/start-child.ts';
import type { MediaFacts } from '../../tree/files/file.ts';

/** A file cannot be rendered or read. The message may quote its bytes: log it, but do not send it in a response. */
export class NoRendition extends Error {
  override readonly name = 'NoRendition';
  /** Facts in the header of a picture whose pixels are damaged. */
  readonly facts: MediaFacts | null;

  constructor(message: string, facts: MediaFacts | null = null) {
    super(message);
    this.facts = facts;
  }
}

/** A file that is read while it is decoded. `mayContinue` reports whether its decoding may go on. */
export interface DecodedFile extends SizedStream, Pick<Job, 'mayContinue'> {}

/** Reads files in child processes. */
export interface Decoder {
  /**
   * Passes a file to a child, with the value of its job.
   * @param owner of the file: a child reads the files of one owner only, so that a hostile file cannot affect others
   * @throws NoRendition when the file cannot be used, or its child is killed; JobInterrupted; errors of `file`
   */
  decode(owner: string, value: unknown, file: DecodedFile): Promise<Payload>;
  /** Kills the children. */
  stop(): void;
}

export type DecoderDeps = Omit<ComputeDeps, 'limits' | 'isShared' | 'longestMs' | 'ms'> & {
  /** Memory of a child, bytes. */
  memory: number;
  /** Maximum CPU time for a file, ms. */
  ms?: number;
  /** Maximum time for a file, ms; less than its lease. */
  longestMs?: number;
};

const MS = 10_000;
const MAX_MS = 25_000;
/** Maximum CPU time of a child, which exits after the file with which it has used half of it. */
const CPU_SECONDS = 40;

export function createDecoder({ memory, ms = MS, longestMs = MAX_MS, ...deps }: DecoderDeps): Decoder {
  const limits = { memory, cpuSeconds: CPU_SECONDS };
  const compute = createCompute({ ...deps, limits, ms, longestMs, isShared: false });
  return {
    async decode(owner, value, file) {
      if (file.size > memory) throw new NoRendition(`a file of ${file.size} bytes is too large`);
      try {
        return await compute.run(owner, { value, stream: file, mayContinue: file.mayContinue });
      } catch (error) {
        if (error instanceof JobKilled || error instanceof JobFailed) throw new NoRendition(error.message);
        throw error;
      }
    },
    stop: compute.stop,
  };
}
