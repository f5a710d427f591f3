import { generatedPart } from '../../openapi/generated-file.ts'
import { secretSettings } from './secrets.ts'
import { settings } from './settings.ts'

// Writes the table of settings into OPERATING.md. With --check it only compares.

function row([name, setting]: [string, (typeof settings.shape)[keyof typeof settings.shape]]): string {
  const parsed = setting.safeParse(undefined)
  const value = parsed.success ? parsed.data : undefined
  const shown = value === undefined ? '' : `\`${Array.isArray(value) ? value.join(',') : value}\``
  const file = (secretSettings as readonly string[]).includes(name) ? `; or \`${name}_FILE\`` : ''
  return `| \`${name}\` | ${shown} | ${setting.description ?? ''}${file} |`
}

const table = [
  '| Variable | Default | Meaning |',
  '|---|---|---|',
  ...Object.entries(settings.shape).map(row),
]
generatedPart(new URL('../ops/OPERATING.md', import.meta.url), 'settings', table.join('\n'))
