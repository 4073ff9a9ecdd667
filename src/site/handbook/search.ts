import { type Html, html } from '../../kernel/http/pages/page.ts';
import type { Language } from '../../kernel/language.ts';
import type { Placed, Subject } from './places.ts';
import type { Schemas } from './schemas.ts';
import { textsOf } from './texts.ts';

const MAX_WORDS = 10;

/**
 * Returns a function that returns the operations that contain every word of a query, those with all of them in path and
 * summary first. The first call gathers the texts of all operations.
 */
export function createSearch(
  subjects: readonly Subject[],
  schemas: Pick<Schemas, 'fields'>,
): (query: string) => Placed[] {
  const gather = () =>
    subjects.flatMap(({ sections }) =>
      sections.flatMap(({ operations }) =>
        operations.map((placed) => ({
          placed,
          name: `${placed.method} ${placed.path} ${placed.operation.summary}`.toLowerCase(),
          text: textOf(placed, schemas).toLowerCase(),
        })),
      ),
    );
  let gathered: ReturnType<typeof gather> | undefined;
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
    if (words.length === 0) return [];
    gathered ??= gather();
    const isIn = (text: string) => words.every((word) => text.includes(word));
    const named = gathered.filter(({ name }) => isIn(name));
    const described = gathered.filter(({ name, text }) => !isIn(name) && isIn(text));
    return [...named, ...described].map(({ placed }) => placed);
  };
}

function textOf({ method, path, operation }: Placed, schemas: Pick<Schemas, 'fields'>): string {
  const contents = [
    operation.requestBody?.content,
    ...Object.values(operation.responses).map(({ content }) => content),
  ];
  const fields = contents.flatMap((content) =>
    Object.values(content ?? {}).flatMap(({ schema = {} }) => schemas.fields(schema)),
  );
  return [
    method,
    path,
    operation.operationId,
    operation.summary,
    operation.description,
    ...(operation.parameters ?? []).map(({ name, description = '' }) => `${name} ${description}`),
    ...fields.map(({ path, about }) => `${path} ${about}`),
    ...Object.values(operation.responses).map(({ description }) => description),
  ].join(' ');
}

/** Renders the title of the results, and how many there are. */
export function resultsHeading(count: number, query: string, language: Language): Html {
  const texts = textsOf(language);
  return html`<h1>${texts.search}</h1>
<p role="status">${count === 0 ? texts.nothingFound(query) : texts.found(count, query)}</p>`;
}
