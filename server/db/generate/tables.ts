import { sql } from 'kysely'
import {
  type GenerateOptions,
  GenericExpressionNode,
  generate,
  PostgresDialect,
  RawExpressionNode,
} from 'kysely-codegen'
import type { Database } from '../client.ts'

/** TypeScript types of all tables; a text column that a check restricts to a list of words becomes that union. */
export async function generateTableTypes(db: Database): Promise<string> {
  const columns: Record<string, RawExpressionNode | GenericExpressionNode> = {}
  for (const { column, words, generated } of await listWordColumns(db)) {
    const union = words.map((word) => JSON.stringify(word)).join(' | ')
    const node = new RawExpressionNode(union)
    columns[column] = generated ? new GenericExpressionNode('Generated', [node]) : node
  }
  return generate({
    // The generator is CommonJS and sees Kysely's other set of types.
    db: db as unknown as GenerateOptions['db'],
    dialect: new PostgresDialect(),
    excludePattern: 'kysely_*',
    outFile: null,
    overrides: { columns },
    typeMapping: { int8: 'number' },
  })
}

interface WordColumn {
  /** `table.column` */
  column: string
  words: string[]
  /** Whether it has a default. */
  generated: boolean
}

async function listWordColumns(db: Database): Promise<WordColumn[]> {
  const { rows } = await sql<Omit<WordColumn, 'words'> & { definition: string }>`
    select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition,
      a.atthasdef as generated
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and array[a.attnum] = c.conkey
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace
    order by 1`.execute(db)
  return rows.flatMap(({ definition, ...row }) => {
    const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition)?.[1]
    return list
      ? [{ ...row, words: [...list.matchAll(/'(\w[\w.-]*)'::text/g)].map(([, word]) => word ?? '') }]
      : []
  })
}
