import { sql } from 'kysely'
import type { Database } from '../client.ts'

/**
 * The tables as Postgres itself spells them, sorted, for people and for a drift check. Definitions come from the server's own
 * `pg_get_*def` functions, so nothing in here knows SQL's grammar. Functions stand in the migrations as they are.
 */
export async function dumpSchema(db: Database): Promise<string> {
  const sections = [
    '-- The tables after all migrations, which have the functions. Generated: npm run generate',
    await lines(db, extensions),
    ...(await blocks(db)),
  ]
  return `${sections.join('\n\n')}\n`
}

async function blocks(db: Database): Promise<string[]> {
  const { rows } = await sql<{ oid: number }>`
    select oid::int from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely\\_%'
    order by relname`.execute(db)
  return Promise.all(rows.map(({ oid }) => lines(db, table(oid))))
}

async function lines(db: Database, query: ReturnType<typeof sql<{ line: string }>>): Promise<string> {
  const { rows } = await query.execute(db)
  return rows.map((row) => row.line).join('\n')
}

const extensions = sql<{ line: string }>`
  select format('create extension %I;', extname) as line from pg_extension where extname <> 'plpgsql' order by 1`

/** One table: columns, constraints, indexes that are not constraints, triggers, comments. */
const table = (oid: number) => sql<{ line: string }>`
  with columns as (
    select a.attnum, format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
      || case a.attidentity when 'a' then ' generated always as identity' else '' end
      || case when a.attnotnull then ' not null' else '' end
      || coalesce(case a.attgenerated when '' then ' default ' || expression
        else format(' generated always as (%s) %s', expression, case a.attgenerated when 's' then 'stored' else 'virtual' end)
        end, '') as line
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum,
      pg_get_expr(d.adbin, d.adrelid) as expression
    where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped
  ), constraints as (
    select conname, format('  constraint %I %s', conname, pg_get_constraintdef(oid)) as line
    from pg_constraint where conrelid = ${oid} and contype not in ('n', 't')
  ), body as (
    select line, 1 as part, attnum as place, '' as name from columns
    union all select line, 2, 0, conname from constraints
  )
  select format(E'create table %s (\\n%s\\n);', ${oid}::regclass,
    (select string_agg(line, E',\\n' order by part, place, name collate "C") from body)) as line
  union all (
    select pg_get_indexdef(indexrelid) || ';' from pg_index
    where indrelid = ${oid} and not exists (select from pg_constraint where conindid = indexrelid)
    order by indexrelid::regclass::text collate "C")
  union all (
    select pg_get_triggerdef(oid) || ';' from pg_trigger where tgrelid = ${oid} and not tgisinternal
    order by tgname collate "C")
  union all (
    select format('comment on %s is %L;', case objsubid when 0 then 'table ' || ${oid}::regclass
      else format('column %s.%I', ${oid}::regclass, (select attname from pg_attribute
        where attrelid = ${oid} and attnum = objsubid)) end, description)
    from pg_description where objoid = ${oid} and classoid = 'pg_class'::regclass order by objsubid)`
