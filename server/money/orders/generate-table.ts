import { generatedPart } from '../../../openapi/generated-file.ts'
import { type Edge, type OrderKind, orders } from './edges.ts'

// Writes the table of edges into server/README.md. With --check it only compares.

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
const coded = (status: string | null) => (status === null ? 'nothing' : `\`${status}\``)

const rows = Object.entries(orders).flatMap(([kind, { edges }]) =>
  Object.entries<Edge<OrderKind>>(edges).map(([name, { from, to, by, evidence }], index) =>
    row(
      index === 0 ? kind : '',
      name,
      `${from.map(coded).join(', ')} → ${coded(to)}`,
      by.join(', '),
      evidence,
    ),
  ),
)

generatedPart(
  new URL('../../README.md', import.meta.url),
  'orders',
  ['| Order | Edge | From → to | By | What is known before |', '|---|---|---|---|---|', ...rows].join('\n'),
)
