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

/** A compiled query with its values; it returns rows of type `Row`. */
export interface PreparedStatement<Row> {
  /** Follows from the text, so that a connection parses and plans each text once. */
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

  [Symbol.toPrimitive](): never {
    throw new Error(`a prepared query cannot read "${this.key}": compute in SQL, or pass a field for it`)
  }
}

interface Compiled {
  text: string
  parameters: readonly unknown[]
}

const names = new Map<string, string>()

/** The name under which connections prepare this text; undefined for texts that are not prepared. */
export const nameOf = (text: string): string | undefined => names.get(text)

/** Gives a statement a name, so that each connection that runs it keeps it parsed and planned. For few different texts. */
export function toPrepare<Row>(text: string, values: readonly unknown[]): PreparedStatement<Row> {
  const name = names.get(text) ?? `prepared_${names.size + 1}`
  names.set(text, name)
  return { name, text, values }
}

/**
 * Compiles the query of `build` once for each set of fields that an input may have, and then only fills in the values.
 * `build` may test whether a field is defined and pass its value to the query, but cannot read the value: a template
 * string, `<` and `+` throw.
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
      const placeholders = Object.fromEntries(keys.map((key) => [key, new Placeholder(key)]))
      const { sql, parameters } = build(compiler, placeholders as Input).compile()
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

/** Runs a prepared statement on `db`, which is the pool or a transaction. */
export async function runOn<Row>(db: Kysely<DB>, { text, values }: PreparedStatement<Row>): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}
