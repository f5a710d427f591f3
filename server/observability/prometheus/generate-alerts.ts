import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { generatedPart } from '../../../openapi/generated-file.ts'

// Writes the table of alerts into OPERATING.md. With --check it only compares.

const page = 'server/ops/OPERATING.md'

interface Rule {
  alert: string
  labels: { severity: string }
  annotations: { summary: string; action: string; runbook: string }
}

function rulesIn(path: string): Rule[] {
  const file = parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
  return file.groups.flatMap(({ rules }: { rules: Rule[] }) => rules)
}

function row({ alert, labels, annotations }: Rule): string {
  const { summary, action, runbook } = annotations
  const [file = '', section] = runbook.split('#')
  const target = file === page ? `#${section}` : `${file.replace('server/ops/', '')}#${section}`
  const more = target === '#alerts' ? '' : ` [More](${target})`
  const said = summary.replace(/\{\{ \$labels\.(\w+) }}/g, '*$1*')
  return `| \`${alert}\` | ${labels.severity} | ${said} | ${action}${more} |`
}

const rules = [...rulesIn('alerts.yaml'), ...rulesIn('../../ops/cluster/alerts.yaml')]
const table = ['| Alert | | It says | Do |', '|---|---|---|---|', ...rules.map(row)]
generatedPart(new URL('../../ops/OPERATING.md', import.meta.url), 'alerts', table.join('\n'))
