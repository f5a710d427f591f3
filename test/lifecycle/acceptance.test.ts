import { expect, test } from 'vitest'
import { type Reason, reasons } from '../../server/events/acceptance-reasons.ts'
import {
  type AcceptanceFacts,
  type AcceptanceRule,
  applyRule,
  type CheckState,
  ruleRows,
} from '../../server/lifecycle/acceptance.ts'

const head = 'a'.repeat(40)
const app = { kind: 'app', id: 15_368, name: 'github-actions' } as const
const maintainer = { kind: 'account', id: 8, name: 'grace' } as const
const rule: AcceptanceRule = {
  checks: [
    { name: 'test', posted_by: app },
    { name: 'lint', posted_by: maintainer },
  ],
  allowed_paths: ['src/**'],
  hours: 72,
}
const pull = {
  state: 'open',
  draft: false,
  mergeable: true,
  into_default: true,
  changed_files: 2,
  author_id: 7,
  fork_owner_id: null,
  head_sha: head,
} as AcceptanceFacts['pull']
const green: AcceptanceFacts = {
  pull,
  wasMoved: false,
  isContributors: true,
  isOld: false,
  paths: ['src/a.ts', 'src/b/c.ts'],
  checks: ['success', 'success'],
}

test('all at once: the rule holds for the newest commit', () => {
  expect(applyRule(rule, green)).toEqual({ holds: true, head })
  const most = { ...green, pull: { ...pull, changed_files: 300 } }
  expect(applyRule(rule, most)).toEqual({ holds: true, head })
})

const ofPull = (changed: Partial<AcceptanceFacts['pull']>) => ({ pull: { ...pull, ...changed } })
const checks = (...states: CheckState[]) => ({ checks: states })

const broken: [Reason, string, Partial<AcceptanceFacts>][] = [
  ['closed', 'closed', ofPull({ state: 'closed' })],
  ['draft', 'a draft', ofPull({ draft: true })],
  ['conflict', 'in conflict', ofPull({ mergeable: false })],
  ['conflict', 'not known to be mergeable', ofPull({ mergeable: null })],
  ['other_base', 'into another branch', ofPull({ into_default: false })],
  ['other_base', 'moved from another branch', { wasMoved: true }],
  ['not_contributors', 'of another agent', { isContributors: false }],
  ['old_commit', 'paid before', { isOld: true }],
  ['wrong_size', 'without a change', { paths: [] }],
  ['wrong_size', 'too large', ofPull({ changed_files: 301 })],
  ['path_not_allowed', 'one path outside', { paths: ['src/a.ts', 'package.json'] }],
  ['path_not_allowed', 'a workflow', { paths: ['src/a.ts', '.github/workflows/test.yml'] }],
  ['check_by_author', 'whose author posts a check', ofPull({ author_id: 8 })],
  ['check_by_author', 'whose fork is of who posts a check', ofPull({ fork_owner_id: 8 })],
  ['check_failed', 'with a failed check', checks('success', 'failure')],
  ['check_pending', 'with a running check', checks('pending', 'success')],
  ['checks_not_run', 'without a check', checks('success', 'missing')],
  ['checks_not_run', 'with half of the checks', checks('success')],
]

test.each(broken)('%s: a pull request %s opens no window', (reason, _, facts) => {
  expect(applyRule(rule, { ...green, ...facts })).toEqual({ holds: false, reason })
})

test('a check run of an app with the id of the author is no check of the author', () => {
  const facts = { ...green, ...ofPull({ author_id: app.id }) }
  expect(
    applyRule({ ...rule, checks: rule.checks.slice(0, 1) }, { ...facts, checks: ['success'] }),
  ).toMatchObject({ holds: true })
})

test('a rule without checks never holds', () => {
  expect(applyRule({ ...rule, checks: [] }, { ...green, checks: [] })).toEqual({
    holds: false,
    reason: 'checks_not_run',
  })
})

test('every row of the rule is broken above, and every other reason ends a window alone', () => {
  const named = new Set(broken.map(([reason]) => reason))
  expect(named).toEqual(new Set(ruleRows.map(({ reason }) => reason)))
  // Of these a window ends although the rule holds.
  expect(reasons.filter((reason) => !named.has(reason))).toEqual(['another_commit', 'repeated'])
})
