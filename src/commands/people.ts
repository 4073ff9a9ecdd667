import type { z } from '@hono/zod-openapi';
import type { Account } from '../identity/accounts.ts';
import type { People } from '../identity/people.ts';
import { CommandError } from './command.ts';

/** The value of a flag, checked like a field of a request. @throws CommandError that names the flag */
export function flagValue<Schema extends z.ZodType>(flag: string, schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new CommandError(`--${flag} ${result.error.issues[0]?.message ?? 'is not valid'}.`);
}

/** @throws CommandError when there is none */
export async function accountByEmail({ accounts }: People, email: string): Promise<Account> {
  const account = await accounts.byEmail(email);
  if (!account) throw new CommandError(`There is no account with the address ${email}. “posthouse user list” shows those there are.`);
  return account;
}

/** Lines of columns, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
