import { generatedPart } from '../../openapi/generated-file.ts'
import { type Edge, edges } from './edges.ts'

// Draws the table of edges into server/README.md. With --check it only compares.

const all = Object.entries<Edge>(edges)

const ofBounties = all.flatMap(([name, { bounty, submission, by }]) => {
  const [from, to] = bounty
  // Where only the submission moves, the second diagram shows it.
  const moved = submission ? from.filter((status) => status !== to) : from
  return moved.map((status) => `  ${status} --> ${to}: ${name} (${by})`)
})

const ofSubmissions = all.flatMap(([name, { submission, by }]) => {
  if (!submission) return []
  const [from, to] = submission
  return [`  ${from ?? '[*]'} --> ${to}: ${name} (${by})`]
})

const conditions = all.flatMap(([name, { by, if: conditions = [] }]) =>
  conditions.map(({ says, code }) => `| ${name} | ${by} | ${says} | \`${code}\` |`),
)

const diagram = (transitions: string[]) => ['```mermaid', 'stateDiagram-v2', ...transitions, '```']

generatedPart(
  new URL('../README.md', import.meta.url),
  'lifecycle',
  [
    ...['A bounty:', '', ...diagram(['  [*] --> open', ...ofBounties]), ''],
    ...['Its submissions:', '', ...diagram(ofSubmissions), ''],
    ...['| Edge | Who may | What must hold as well | Else |', '|---|---|---|---|', ...conditions],
  ].join('\n'),
)
