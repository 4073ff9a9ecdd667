import type { Problems } from '../../kernel/http/problems/problems.ts';
import type { Language } from '../../kernel/language.ts';
import type { OpenApi } from '../openapi-types.ts';
import { errorsBody } from './errors.ts';
import { introductionBody } from './introduction.ts';
import { handbookPage, operationList } from './page.ts';
import { subjectsOf } from './places.ts';
import { createSchemas } from './schemas.ts';
import { createSearch, resultsHeading } from './search.ts';
import { sectionBody } from './section.ts';
import { textsOf } from './texts.ts';

/** The pages under `/docs`, generated from the OpenAPI document. Only the navigation is in the reader's language. */
export interface Handbook {
  introduction(): Promise<Response>;
  errors(): Promise<Response>;
  /** The pages of the tags, by path. */
  sections: ReadonlyMap<string, () => Promise<Response>>;
  /** Lists the operations that contain every word of `query`. */
  results(query: string): Promise<Response>;
}

export function createHandbook(document: OpenApi, problems: Problems, language: Language): Handbook {
  const subjects = subjectsOf(document);
  const schemas = createSchemas(document);
  const search = createSearch(subjects, schemas);
  const texts = textsOf(language);
  const shared = { language, subjects };
  return {
    introduction: () =>
      handbookPage({
        ...shared,
        href: '/docs',
        title: texts.api(document.info.title),
        body: introductionBody(document, subjects),
      }),
    errors: () =>
      handbookPage({
        ...shared,
        href: '/docs/errors',
        title: texts.errorCodes,
        body: errorsBody(problems),
      }),
    sections: new Map(
      subjects.flatMap(({ sections }) =>
        sections.map((section) => [
          section.href,
          () =>
            handbookPage({
              ...shared,
              href: section.href,
              title: texts.title(section.title),
              body: sectionBody(document, section, schemas),
            }),
        ]),
      ),
    ),
    results: (query) => {
      const found = search(query);
      return handbookPage({
        ...shared,
        href: '/docs?q',
        title: texts.search,
        query,
        heading: resultsHeading(found.length, query, language),
        body: operationList(found),
        headers: { 'Cache-Control': 'no-store' },
      });
    },
  };
}
