import type { Ctx } from '../../kernel/http/context.ts';
import { pathId } from '../../kernel/http/endpoint.ts';
import { invalidField } from '../../kernel/http/problem.ts';
import { isId } from '../../kernel/ids.ts';

/** The folder in the path: an id, or `root`. @throws Problem 404 */
export function pathFolderId(c: Ctx, name = 'id'): string {
  return c.req.param(name) === 'root' ? 'root' : pathId(c, name);
}

/** A folder's id in a body: an id, or `root`. @throws Problem 400 that names `field` */
export function bodyFolderId(value: string, field: string): string {
  if (value === 'root' || isId(value.toLowerCase())) return value.toLowerCase();
  throw invalidField(field, 'must be the id of a folder, or root');
}
