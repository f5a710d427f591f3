import pg from 'pg'
import { expect } from 'vitest'
import { indexesOnly } from '../../server/db/reads/pipeline.ts'
import { afterFile } from '../support/leaks/closing.ts'
import { until } from '../support/until.ts'

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  /** `InitPlan` and `SubPlan` are expressions, not inputs. */
  'Parent Relationship'?: string
  Filter?: string
  Plans?: Plan[]
}

/** Whether a node sorts rows of these tables, however many they are: no limit stands below it. */
function sortsWhole(plan: Plan, tables: readonly string[]): boolean {
  const reads = ({ Plans = [], ...node }: Plan): boolean =>
    node['Node Type'] !== 'Limit' &&
    !node['Parent Relationship']?.endsWith('Plan') &&
    (tables.includes(node['Relation Name'] ?? '') || Plans.some(reads))
  return plan['Node Type'].includes('Sort') && (plan.Plans ?? []).some(reads)
}

interface Sent {
  text: string
  /** Planned once, before its values are known. */
  isPrepared: boolean
  /** On a connection that goes by indexes. */
  isPipelined: boolean
}

/** Seeds a database and notes from then on, until the test file ends, every statement that this process sends to any. */
export async function explainStatements(url: string, seed: string, growing: readonly string[]) {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown }
  const { query } = prototype
  let sent: (Sent & { values: unknown[] })[] = []
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // What is not on the disk yet is not known to be visible to everybody, and an index alone does not do for it.
  await client.query('set synchronous_commit = on')
  await client.query(`set session_replication_role = replica; ${seed}; set session_replication_role = origin`)
  await vacuum()
  const pipelined = new pg.Client({ connectionString: url })
  await pipelined.connect()
  await pipelined.query(indexesOnly)
  prototype.query = function (this: { pipeline?: boolean }, ...parameters: unknown[]) {
    const [first, second] = parameters as [
      string | { name?: string; text?: string; values?: unknown[] },
      unknown,
    ]
    const text = typeof first === 'string' ? first : (first.text ?? '')
    const values = typeof first === 'string' ? second : first.values
    const isPrepared = typeof first !== 'string' && first.name !== undefined
    if (/^(with|select|insert|update|delete)/i.test(text.trim()))
      sent.push({
        text,
        values: Array.isArray(values) ? values : [],
        isPrepared,
        isPipelined: this.pipeline === true,
      })
    return query.apply(this, parameters)
  }

  afterFile(async () => {
    prototype.query = query
    await client.end()
    await pipelined.end()
  })

  /**
   * Vacuums until all rows are known to be visible to everybody, because plans depend on that. A transaction that a loop of the
   * service has open meanwhile prevents it.
   */
  function vacuum(): Promise<void> {
    return until(async () => {
      await client.query('vacuum analyze')
      const { rows } = await client.query(
        'select relname from pg_class where relname = any ($1) and relallvisible < relpages',
        [growing],
      )
      return rows.length === 0
    })
  }

  /** The plans of the statements since the last look, each once: the loops repeat themselves. */
  async function plans(): Promise<{ plan: Plan; statement: Sent }[]> {
    const statements = sent
    sent = []
    expect(statements.length).toBeGreaterThan(0)
    const explained = new Map<string, { plan: Plan; statement: Sent }>()
    for (const statement of statements) {
      const { text, values, isPrepared, isPipelined } = statement
      const key = `${text} ${values.map(String)}`
      if (explained.has(key)) continue
      const { rows } = isPrepared
        ? await (isPipelined ? pipelined : client).query(`explain (generic_plan, format json) ${text}`)
        : await client.query(`explain (format json) ${text}`, values)
      explained.set(key, { plan: rows[0]['QUERY PLAN'][0].Plan, statement })
    }
    return [...explained.values()]
  }

  return {
    client,
    vacuum,
    /** Forgets what has been noted. */
    forget() {
      sent = []
    },
    /**
     * Growing tables that the statements since the last look read from end to end. Of those on a connection that goes by
     * indexes also where they read rows only to leave them out, which for a rare value may be all, or sort them before
     * they take a page. `unsorted` are tables of which no statement may sort rows without a limit.
     */
    async readWhole(unsorted: readonly string[] = []): Promise<string[]> {
      const whole = new Set<string>()
      const look = (plan: Plan, statement: Sent, inPage = false) => {
        const { text, isPipelined } = statement
        const relation = plan['Relation Name'] ?? ''
        const isWhole = plan['Node Type'] === 'Seq Scan' || (isPipelined && plan.Filter !== undefined)
        if (isWhole && growing.includes(relation)) whole.add(`${relation}: ${text}`)
        if (isPipelined && inPage && plan['Node Type'].includes('Sort')) whole.add(`sorted: ${text}`)
        if (sortsWhole(plan, unsorted)) whole.add(`sorted without a limit: ${text}`)
        const isPage = inPage || plan['Node Type'] === 'Limit'
        for (const child of plan.Plans ?? []) look(child, statement, isPage)
      }
      for (const { plan, statement } of await plans()) look(plan, statement)
      return [...whole]
    },
    /** Indexes that the statements since the last look use. */
    async indexes(): Promise<Set<string>> {
      const used = new Set<string>()
      const look = (plan: Plan) => {
        if (plan['Index Name']) used.add(plan['Index Name'])
        for (const child of plan.Plans ?? []) look(child)
      }
      for (const { plan } of await plans()) look(plan)
      return used
    },
  }
}
