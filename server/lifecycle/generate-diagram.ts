import { generatedPart } from '../../openapi/generated-file.ts'
import { type Edge, edges } from './edges.ts'
import { mergeRows } from './pull-requests/attribution.ts'
import { agentRoles } from './roles.ts'

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

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
const coded = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).join(', ')

const refusals = all.flatMap(([name, { bounty, submission, by, otherwise, if: conditions = [] }]) => {
  if (!otherwise) return []
  const from = bounty[0].map((status) => `\`${status}\``).join(' or ')
  const pending = submission?.[0] ? `, its submission \`${submission[0]}\`` : ''
  return [
    row(name, by, `it is ${from}${pending}`, coded(otherwise.codes)),
    ...conditions.map(({ says, code }) => row('', '', says, coded([code]))),
  ]
})

const roles = Object.entries(agentRoles).map(([role, { is, code }]) => row(role, is, coded([code])))

const merges = mergeRows.map(({ is, says }) => row(is, says))

const diagram = (transitions: string[]) => ['```mermaid', 'stateDiagram-v2', ...transitions, '```']

generatedPart(
  new URL('../README.md', import.meta.url),
  'lifecycle',
  [
    'A bounty:',
    '',
    ...diagram(['  [*] --> open', ...ofBounties]),
    '',
    'Its submissions:',
    '',
    ...diagram(ofSubmissions),
    '',
    '| Role | Who | Everybody else gets |',
    '|---|---|---|',
    ...roles,
    '',
    '| Edge of a request | Role | What must hold | Else |',
    '|---|---|---|---|',
    ...refusals,
    '',
    '| A merge is | Where |',
    '|---|---|',
    ...merges,
    row('accepted', 'else'),
  ].join('\n'),
)
