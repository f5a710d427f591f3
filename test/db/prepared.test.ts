import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { prepared } from '../../server/db/prepared.ts'

interface Input {
  name: string
  size: number
}
/** What `select` makes of the fields of an input. */
const statement = (select: (input: Input) => unknown) =>
  prepared((db, input: Input) => db.selectNoFrom(sql`${select(input)}`.as('made')))({ name: 'a', size: 1 })

test.each<[string, keyof Input, (input: Input) => unknown]>([
  ['makes a text of', 'name', ({ name }) => `%${name}%`],
  ['compares by order', 'size', ({ size }) => size < 2],
  ['calculates with', 'size', ({ size }) => size + 1],
])('a query that %s a value (%s) is refused, and the error says what to do', (_, field, select) => {
  expect(() => statement(select)).toThrow(`cannot read "${field}": compute in SQL`)
})

test('a query that leaves that to SQL gets the value', () => {
  const { text, values } = statement(({ name }) => sql`'%' || ${name} || '%'`)
  expect([text, values]).toEqual([`select '%' || $1 || '%' as "made"`, ['a']])
})
