import { readFile, writeFile } from 'node:fs/promises'
import { secretSettings } from './secrets.ts'
import { settings } from './settings.ts'

// Writes the table of settings into OPERATING.md. With --check it only compares.
const manual = new URL('../ops/OPERATING.md', import.meta.url)
const between = /(<!-- settings -->\n)[\s\S]*(<!-- end of settings -->)/

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
const text = await readFile(manual, 'utf8')
const wanted = text.replace(between, `$1${table.join('\n')}\n$2`)
if (process.argv.includes('--check')) {
  if (wanted !== text) {
    process.stderr.write('OPERATING.md: the table of settings is out of date; run npm run generate\n')
    process.exitCode = 1
  }
} else await writeFile(manual, wanted)
