import type { Problems } from '../../kernel/http/problems.ts';
import { errorsBody } from './errors.ts';
import { introductionBody } from './introduction.ts';
import { handbookPage } from './page.ts';
import { subjectsOf } from './places.ts';
import { createSchemas, type OpenApi } from './schema.ts';
import { resultsBody, search } from './search.ts';
import { sectionBody } from './section.ts';

/** The pages under `/docs`, made of the OpenAPI document. */
export interface Handbook {
  introduction(): Promise<Response>;
  errors(): Promise<Response>;
  /** Paths of the pages of the tags. */
  sections: ReadonlyMap<string, () => Promise<Response>>;
  /** Lists the operations that contain every word of `query`. */
  results(query: string): Promise<Response>;
}

export function createHandbook(document: OpenApi, problems: Problems): Handbook {
  const subjects = subjectsOf(document);
  const schemas = createSchemas(document);
  const shared = { subjects };
  return {
    introduction: () =>
      handbookPage({
        ...shared,
        href: '/docs',
        title: `${document.info.title} API`,
        body: introductionBody(document, subjects),
      }),
    errors: () =>
      handbookPage({ ...shared, href: '/docs/errors', title: 'Error codes', body: errorsBody(problems) }),
    sections: new Map(
      subjects.flatMap(({ sections }) =>
        sections.map((section) => [
          section.href,
          () =>
            handbookPage({
              ...shared,
              href: section.href,
              title: section.title,
              body: sectionBody(document, section, schemas),
            }),
        ]),
      ),
    ),
    results: (query) =>
      handbookPage({
        ...shared,
        href: '/docs?q',
        title: 'Search',
        query,
        body: resultsBody(search(subjects, query, schemas), query),
        headers: { 'Cache-Control': 'no-store' },
      }),
  };
}
