import type { Client } from 'pg';

/**
 * Returns a PostgreSQL database as SQL that one simple query loads into an empty one: tables, rows, constraints,
 * indexes, functions and triggers.
 * @throws Error when there are views, sequences or others
 */
export async function dumpPostgres(client: Client): Promise<string> {
  await requireTablesOnly(client);
  const texts = async (query: string, ...values: string[]) =>
    (await client.query<{ text: string }>(query, values)).rows.map(({ text }) => text);
  const tables = await texts(
    "select tablename as text from pg_tables where schemaname = 'public' order by tablename",
  );
  const statements: string[] = [];
  for (const table of tables)
    statements.push(await tableText(client, table), ...(await rowTexts(client, table)));
  // Primary keys come before the foreign keys that refer to them.
  const constraints = await texts(`
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
    order by contype = 'f', conrelid::regclass::text, conname`);
  const indexes = await texts(`
    select indexdef as text from pg_indexes
    where schemaname = 'public' and indexname not in (select conname from pg_constraint)
    order by indexname`);
  const functions = await texts(`
    select pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'public'::regnamespace
    order by proname`);
  // After the rows, which would fire them.
  const triggers = await texts(`
    select pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal
    order by tgrelid::regclass::text, tgname`);
  return [...statements, ...constraints, ...indexes, ...functions, ...triggers]
    .map((statement) => `${statement};\n`)
    .join('');
}

async function tableText(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(
    `select format('%I %s%s%s%s', attname, format_type(atttypid, atttypmod),
       case when attcollation not in (0, (select oid from pg_collation where collname = 'default'))
         then format(' collate %I', (select collname from pg_collation where oid = attcollation)) else '' end,
       ' default ' || pg_get_expr(adbin, adrelid), case when attnotnull then ' not null' else '' end) as text
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
     order by attnum`,
    [table],
  );
  return `create table ${client.escapeIdentifier(table)} (\n  ${rows.map(({ text }) => text).join(',\n  ')}\n)`;
}

async function rowTexts(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `select * from ${client.escapeIdentifier(table)} as t order by t::text`,
  );
  return rows.map((row) => {
    const names = Object.keys(row).map((name) => client.escapeIdentifier(name));
    const values = Object.values(row).map((value) => literal(client, value));
    return `insert into ${client.escapeIdentifier(table)} (${names.join(', ')}) values (${values.join(', ')})`;
  });
}

function literal(client: Client, value: unknown): string {
  if (value === null) return 'null';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return client.escapeLiteral(String(value));
  throw new Error(`no literal for ${JSON.stringify(value)}`);
}

async function requireTablesOnly(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i')`);
  if (rows.length > 0) throw new Error(`cannot dump ${rows.map(({ name }) => name).join(', ')}`);
}
