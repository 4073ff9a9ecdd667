import type { ProblemTable } from '../kernel/problem.ts';

/** Error codes of mail and Telegram. A published code keeps its meaning. */
// biome-ignore format: three or four lines per code
export const mailProblems = {
  invalid_template: { status: 400, title: 'Invalid template',
    de: { title: 'Ungültige Vorlage', detail: 'Die Vorlage ist ungültig: {detail}' },
    remedy: 'Correct the template at the line and column in `detail`. Time, memory, nesting and output are limited.' },
  host_not_allowed: { status: 400, title: 'Host not allowed',
    de: { title: 'Host nicht erlaubt', detail: 'Dieser Mailserver ist nicht erlaubt: {detail}' },
    remedy: 'Use a public mail server on port 25, 465, 587 or 2525. `POSTHOUSE_ALLOW_PRIVATE_HOSTS` lifts this rule.' },
  bad_client: { status: 401, title: 'Unknown client or wrong secret',
    de: { title: 'Unbekannter Client oder falsches Geheimnis',
      detail: 'Es gibt diesen Client nicht, oder sein Geheimnis ist falsch.' },
    remedy: 'Check `ClientId` and `ClientSecret`. An administrator can enable the client and create a new secret.' },
  service_not_allowed: { status: 403, title: 'Service not allowed',
    de: { title: 'Dienst nicht erlaubt', detail: 'Dieser Client darf diesen Dienst nicht nutzen.' },
    remedy: 'Use a client that was created for this service, or ask an administrator to change this one.' },
} as const satisfies ProblemTable;

declare module '../kernel/problem.ts' {
  interface ProblemCodes extends Record<keyof typeof mailProblems, unknown> {}
}
