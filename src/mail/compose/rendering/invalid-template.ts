import { Problem } from '../../../kernel/problem.ts';

/** Returns the error of a template in the request field `field`. @param line from 1 @param column from 1 */
export function invalidTemplate(field: string, reason: string, line?: number, column?: number): Problem {
  const position = line === undefined ? '' : ` (line ${line}, column ${column})`;
  return new Problem('invalid_template', `${field}: ${reason}${position}`, {
    fields: [{ path: field, message: `${reason}${position}` }],
  });
}
