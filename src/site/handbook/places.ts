import type { OpenApi, Operation } from '../openapi-types.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** An operation with its place in the documentation. */
export interface Placed {
  method: string;
  path: string;
  anchor: string;
  /** Path of the page with the anchor. */
  href: string;
  operation: Operation;
}

/** The page of one tag. */
export interface Section {
  /** Path of the page. */
  href: string;
  title: string;
  description: string;
  operations: readonly Placed[];
}

/** A service, or another subject, with its sections. */
export interface Subject {
  name: string;
  sections: readonly Section[];
}

/** Arranges the operations of a document by the groups of its tags. */
export function subjectsOf(document: OpenApi): Subject[] {
  const operations = Map.groupBy(operationsOf(document), ([, , { tags }]) => tags?.[0] ?? '');
  const sections = new Map(
    (document.tags ?? []).map(({ name, description }) => {
      const href = `/docs/${asAnchor(name)}`;
      const placed = (operations.get(name) ?? []).map(([method, path, operation]) => {
        const anchor = `${method}-${asAnchor(path)}`;
        return { method, path, operation, anchor, href: `${href}#${anchor}` };
      });
      return [name, { href, title: titleOf(name), description, operations: placed }] as const;
    }),
  );
  return (document['x-tagGroups'] ?? []).map(({ name, tags }) => ({
    name,
    sections: tags.flatMap((tag) => sections.get(tag) ?? []),
  }));
}

function operationsOf(document: OpenApi): [method: string, path: string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, string, Operation][] => {
      const operation = item[method];
      return operation ? [[method, path, operation]] : [];
    }),
  );
}

function asAnchor(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function titleOf(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1);
}
