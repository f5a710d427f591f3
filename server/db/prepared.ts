import {
  type Compilable,
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { DB } from './generated/tables.ts'

/** A compiled query with its values. `Row` is what it answers. */
export interface PreparedStatement<Row> {
  /** The same for the same text, so that a connection parses and plans it once. */
  name: string
  text: string
  values: readonly unknown[]
  /** Type only. */
  row?: Row
}

/** Builds queries without a database. */
const compiler: Kysely<DB> = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Stands in for one field of the input while the query is compiled. */
class Placeholder {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

interface Compiled {
  text: string
  parameters: readonly unknown[]
}

const names = new Map<string, string>()

/** The name of a statement that is prepared where it is run; undefined for all others. */
export const nameOf = (text: string): string | undefined => names.get(text)

/** A statement of which there are few different texts, to be kept parsed and planned on each connection that runs it. */
export function toPrepare<Row>(text: string, values: readonly unknown[]): PreparedStatement<Row> {
  const name = names.get(text) ?? `prepared_${names.size + 1}`
  names.set(text, name)
  return { name, text, values }
}

/**
 * Compiles what `build` makes of an input once for each set of fields that are there, and from then on only fills in
 * the values. `build` may ask whether a field is there and hand its value to the query; it cannot look at the value.
 */
export function prepared<Input extends object, Row>(
  build: (db: Kysely<DB>, input: Input) => Compilable<Row>,
): (input: Input) => PreparedStatement<Row> {
  const shapes = new Map<string, Compiled>()
  return (input) => {
    const values = input as Record<string, unknown>
    let shape = ''
    for (const key in values) if (values[key] !== undefined) shape += `${key} `
    let compiled = shapes.get(shape)
    if (!compiled) {
      const keys = Object.keys(values).filter((key) => values[key] !== undefined)
      const stand = Object.fromEntries(keys.map((key) => [key, new Placeholder(key)]))
      const { sql, parameters } = build(compiler, stand as Input).compile()
      compiled = { text: sql, parameters }
      shapes.set(shape, compiled)
    }
    const { text, parameters } = compiled
    return toPrepare(
      text,
      parameters.map((value) => (value instanceof Placeholder ? values[value.key] : value)),
    )
  }
}

/** Runs a prepared statement over the pool, or in the transaction, that `db` is. */
export async function runOn<Row>(db: Kysely<DB>, { text, values }: PreparedStatement<Row>): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}
