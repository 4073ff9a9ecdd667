import { SECOND } from '../../kernel/clock.ts';

/** Time limits towards an S3 server, in milliseconds. */
export interface S3Limits {
  /** Without any progress: until bytes of the body are taken, or the head of the answer arrives. */
  answerMs: number;
  /** Total of such waits of one request, which is repeated as long as another attempt fits. */
  requestMs: number;
  /** Between two chunks of an answer's body. */
  bodyMs: number;
  /** First pause before a repetition, doubled each time. */
  pauseMs: number;
}

/** A caller waits for two failing attempts at most, and is answered within 10 s. */
export const S3_LIMITS: S3Limits = {
  answerMs: 4 * SECOND,
  requestMs: 8.5 * SECOND,
  bodyMs: 20 * SECOND,
  pauseMs: SECOND / 10,
};
