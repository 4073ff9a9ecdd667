import type { ProblemTable } from '../kernel/problem.ts';

/** Error codes of health and metrics. A published code keeps its meaning. */
// biome-ignore format: three or four lines per code
export const siteProblems = {
  metrics_forbidden: { status: 403, title: 'Metrics forbidden',
    de: { title: 'Metriken nicht zugänglich', detail: 'Die Metriken sind von hier aus nicht zugänglich.' },
    remedy: 'Request metrics from the machine itself, as an administrator, or with `POSTHOUSE_METRICS_TOKEN`.' },
  not_ready: { status: 503, title: 'Server not ready',
    de: { title: 'Server nicht bereit',
      detail: 'Der Server ist noch nicht bereit. Versuchen Sie es bald erneut.' },
    remedy: 'Try again later; `errors` lists the failing dependencies.' },
} as const satisfies ProblemTable;

declare module '../kernel/problem.ts' {
  interface ProblemCodes extends Record<keyof typeof siteProblems, unknown> {}
}
