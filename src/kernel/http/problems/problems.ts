import type { Language } from '../../language.ts';
import {
  type FieldError,
  Problem,
  type ProblemCode,
  type ProblemKind,
  type ProblemTable,
} from '../../problem.ts';
import { kernelProblems } from '../../problems.ts';
import { createTranslate, type Translations } from '../../translations.ts';
import { REQUEST_ID, withDefaults } from '../common-headers.ts';
import { germanDetail, germanFields } from './german-problem.ts';

/** A problem with additional header fields, for code that handles HTTP. */
export class HttpProblem extends Problem {
  override readonly name = 'HttpProblem';
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    { headers, ...options }: ConstructorParameters<typeof Problem>[2] & { headers: Record<string, string> },
  ) {
    super(code, detail, options);
    this.headers = headers;
  }
}

/** The request header fields on which the response depends: JSON or a page, and its language. */
export const PROBLEM_VARY = 'Accept, Sec-Fetch-Dest, Sec-Fetch-Mode, Accept-Language, Cookie';

const FIELDS = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  Vary: PROBLEM_VARY,
};
/** Header fields of problems without additional ones. */
const PLAIN = withDefaults(FIELDS);

/** Text and head of a response. */
interface Rendered {
  text: string;
  status: number;
  headers: Headers;
}

/** Renders problems as responses. */
export interface Problems {
  /** Returns every code with its kind, by status. */
  list(): ({ code: string } & ProblemKind)[];
  /** Returns status, title and header fields of the response to `problem`. */
  head(
    problem: Problem,
    language?: Language,
  ): { status: number; title: string; headers: Record<string, string> };
  /** Returns the sentence about `problem`. */
  detail(problem: Problem, language: Language): string;
  /** Returns the response as `application/problem+json` (RFC 9457). */
  render(problem: Problem, request: { id: string; language: Language }): Rendered;
}

/**
 * @param table the tables of the kernel and of every service, merged
 * @param german the translations of their messages and sentences, merged
 */
export function createProblems(table: ProblemTable, german: Translations): Problems {
  const translate = createTranslate(german);
  const kindOf = ({ code }: Problem): ProblemKind => table[code] ?? kernelProblems.internal_error;

  function head(problem: Problem, language: Language = 'en') {
    const { status, title, de } = kindOf(problem);
    const headers: Record<string, string> =
      problem.retryAfterMs === undefined ? {} : { 'Retry-After': wholeSeconds(problem.retryAfterMs) };
    return {
      status,
      title: { en: title, de: de.title }[language],
      headers: problem instanceof HttpProblem ? { ...headers, ...problem.headers } : headers,
    };
  }

  const detailOf = (problem: Problem, language: Language): string =>
    language === 'en' ? problem.detail : germanDetail(problem, kindOf(problem).de.detail, translate);

  const fieldsOf = (fields: readonly FieldError[], language: Language) =>
    language === 'en' ? fields : germanFields(fields, translate);

  return {
    list: () =>
      Object.entries(table)
        .map(([code, kind]) => ({ code, ...kind }))
        .sort((a, b) => a.status - b.status),
    head,
    detail: detailOf,
    render(problem, { id: requestId, language }) {
      const { status, title, headers } = head(problem, language);
      const { code } = problem;
      const fields = problem.fields && fieldsOf(problem.fields, language);
      const detail = detailOf(problem, language);
      const type = `/docs/errors#${code}`;
      return {
        text: JSON.stringify({ type, title, status, detail, code, requestId, errors: fields }),
        status,
        headers: Object.keys(headers).length === 0 ? PLAIN : withDefaults({ ...FIELDS, ...headers }),
      };
    },
  };
}

/** Returns the response to a request that reaches no route, in English. */
export function problemResponse(problems: Problems, problem: Problem, id: string): Response {
  const { text, ...head } = problems.render(problem, { id, language: 'en' });
  const response = new Response(text, head);
  response.headers.set(REQUEST_ID, id);
  return response;
}

/** RFC 9110 §10.2.3: `Retry-After` in whole seconds, rounded up. */
function wholeSeconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)));
}
