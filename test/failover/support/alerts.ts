import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import type { Cluster } from './cluster/cluster.ts'
import type { Exporter } from './cluster/exporter.ts'
import { findProgram } from './cluster/packages.ts'
import { shipped } from './cluster/shipped.ts'

const path = join(shipped, 'alerts.yaml')

interface Rule {
  alert: string
  labels: Record<string, string>
}

/** The names of all alert rules about the cluster. */
export async function alertNames(): Promise<string[]> {
  const { groups } = parse(await readFile(path, 'utf8'))
  return (groups[0].rules as Rule[]).map(({ alert }) => alert)
}

/** The names of the alerts that fire when the cluster has reported what it reports now for half an hour. */
export async function firingAlerts({ nodes, etcd }: Cluster, exporters: Exporter[]): Promise<string[]> {
  const scrapes = await Promise.all(
    [...nodes, ...etcd, ...exporters].map(async (machine, index) => {
      const text = await machine.metrics().catch(() => '')
      return samples(text, `machine-${index + 1}`)
    }),
  )
  return evaluate(scrapes.flat())
}

/** Prometheus drops what a machine reported when it does not answer, so such a machine has no series at all. */
function samples(text: string, instance: string) {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] =
      /^((?:patroni|etcd_server|postgres_archive)_\w+) ?(?:\{(.*?)\})? (\S+)$/.exec(line) ?? []
    if (!name) return []
    const all = [...(labels ? [labels] : []), `instance="${instance}"`].join(',')
    return [{ series: `${name}{${all}}`, values: `${Number(value)}x120` }]
  })
}

/** Has promtool evaluate the shipped rules for half an hour. */
async function evaluate(series: { series: string; values: string }[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-alerts-'))
  try {
    const names = await alertNames()
    const tests = join(folder, 'tests.yaml')
    // Expects that nothing fires: promtool then reports what does.
    const expectations = names.map((alertname) => ({ eval_time: '30m', alertname, exp_alerts: [] }))
    const input = { interval: '15s', input_series: series, alert_rule_test: expectations }
    await writeFile(tests, stringify({ rule_files: [path], tests: [input] }))
    const output = await promisify(execFile)(findProgram('promtool'), ['test', 'rules', tests]).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
    )
    const fired = [...output.matchAll(/alertname: ?(\w+)/g)].map(([, name]) => name as string)
    if (fired.length === 0 && !output.includes('SUCCESS')) throw new Error(output)
    return names.filter((name) => fired.includes(name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
