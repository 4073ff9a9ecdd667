import { SECOND } from '../../kernel/clock.ts';

/** Time limits of requests to an S3 server, in milliseconds. */
export interface S3Limits {
  /** Maximum time without progress: until bytes of the body are read, or the head of the response arrives. */
  answerMs: number;
  /** Maximum total of these waits of a request, which is retried while another attempt fits. */
  requestMs: number;
  /** Maximum time between two chunks of a response's body. */
  bodyMs: number;
  /** Mean pause before the first retry, doubled for each further one. */
  pauseMs: number;
}

/** A caller waits for two failing attempts at most, and gets a response within 10 s. */
export const S3_LIMITS: S3Limits = {
  answerMs: 4 * SECOND,
  requestMs: 8.5 * SECOND,
  bodyMs: 20 * SECOND,
  pauseMs: SECOND / 10,
};
