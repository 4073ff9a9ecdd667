import { type Html, html } from '../../kernel/http/page.ts';
import type { Language } from '../../kernel/language.ts';
import type { Placed, Subject } from './places.ts';
import type { Schemas } from './schema.ts';
import { textsOf } from './texts.ts';

const MAX_WORDS = 10;

/** Returns the operations that contain every word of `query`, those with all of them in path and summary first. */
export function search(subjects: readonly Subject[], query: string, schemas: Schemas): Placed[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const contains = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const all = subjects.flatMap(({ sections }) => sections.flatMap(({ operations }) => operations));
  const named = all.filter(({ method, path, operation }) =>
    contains(`${method} ${path} ${operation.summary}`),
  );
  const described = all.filter((placed) => !named.includes(placed) && contains(textOf(placed, schemas)));
  return [...named, ...described];
}

function textOf({ method, path, operation }: Placed, schemas: Schemas): string {
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
