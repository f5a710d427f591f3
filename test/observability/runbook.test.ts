import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { webhookOperation } from '../../server/http/github-webhook.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const alertPaths = ['server/observability/prometheus/alerts.yaml', 'server/ops/cluster/alerts.yaml']

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; action: string; runbook: string }
}
const rules: Rule[] = alertPaths.flatMap((path) =>
  parse(read(path)).groups.flatMap((group: { rules: Rule[] }) => group.rules),
)

/** The anchors that a Markdown page has on GitHub. */
function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Why a reference, relative to the folder of its page, is broken; undefined if it is not. */
function broken(page: string, reference: string): string | undefined {
  const [file = '', anchor] = reference.split('#')
  const path = file === '' ? page : join(dirname(page), file)
  if (!existsSync(join(root, path))) return `${page}: there is no ${path}`
  if (anchor === undefined || anchorsOf(path).includes(anchor)) return undefined
  return `${page}: ${path} has no section #${anchor}`
}

test('every rule has a severity, a summary, an action and a link into the runbook', () => {
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'warn', 'info'], alert).toContain(labels.severity)
    for (const text of [annotations.summary, annotations.action]) expect(text, alert).toMatch(/\S/)
    expect(broken('README.md', annotations.runbook), alert).toBeUndefined()
  }
})

test('every state that needs an operator has a rule', () => {
  const metrics = rules.map(({ expr }) => expr).join('\n')
  for (const metric of [
    'bounty_activations_failed',
    'bounty_payouts_paused',
    'operation=~"bounties.approve|projects.activate",status="500"',
    'count(bounty_info) < max_over_time',
    'bounty_payments_recognized_total',
    'bounty_chain_state{state="unreachable"}',
    'bounty_chain_state{state="misconfigured"}',
  ])
    expect(metrics).toContain(metric)
})

test('links of every page point to files and sections that exist', { tags: 'git' }, () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(
      ([, reference = '']) => [page, reference] as const,
    ),
  )
  expect(links.length).toBeGreaterThan(20)
  expect(links.map(([page, reference]) => broken(page, reference)).filter(Boolean)).toEqual([])
})

test('the operations that rules name exist', () => {
  const { paths } = JSON.parse(read('openapi/openapi.json')) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const documented = Object.values(paths).flatMap((path) =>
    Object.values(path).map((each) => each.operationId),
  )
  const known = [...documented, webhookOperation]
  const named = rules.flatMap(({ expr }) => [...expr.matchAll(/operation(?:=~|!=|=)"([^"]+)"/g)])
  const names = named.flatMap(([, list = '']) => list.split('|'))
  expect(names).toContain('bounties.approve')
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})
