import { asUnavailable } from '../../kernel/errors/unavailable.ts';
import type { Metrics } from '../../kernel/metrics/metrics.ts';
import { Problem } from '../../kernel/problem.ts';

/** Counts sign-ins. */
export interface SignInMetrics {
  succeeded(): void;
  /** @param error a Problem, whose code is the reason, or the failure of an engine; others are not counted */
  refused(error: unknown): void;
}

export function createSignInMetrics(metrics: Metrics): SignInMetrics {
  const succeeded = metrics.counter('posthouse_sign_ins_total', 'Sign-ins');
  const refused = metrics.counter('posthouse_sign_in_refusals_total', 'Refused sign-ins, by error code', [
    'code',
  ]);
  return {
    succeeded: () => succeeded.inc(),
    refused(error) {
      const problem = error instanceof Problem ? error : asUnavailable(error);
      if (problem) refused.inc({ code: problem.code });
    },
  };
}
