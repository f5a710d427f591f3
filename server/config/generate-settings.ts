import { readFile, writeFile } from 'node:fs/promises'
import { settingsSchema } from './config.ts'
import { secretSettings } from './secrets.ts'

// Keeps the table of settings in the README equal to the settings that are read. With --check it only compares.
const readme = new URL('../../README.md', import.meta.url)
const between = /(<!-- settings -->\n)[\s\S]*(<!-- end of settings -->)/

function row([name, setting]: [
  string,
  (typeof settingsSchema.shape)[keyof typeof settingsSchema.shape],
]): string {
  const parsed = setting.safeParse(undefined)
  const value = parsed.success ? parsed.data : undefined
  const shown = value === undefined ? '' : `\`${Array.isArray(value) ? value.join(',') : value}\``
  const file = (secretSettings as readonly string[]).includes(name) ? `; or \`${name}_FILE\`` : ''
  return `| \`${name}\` | ${shown} | ${setting.description ?? ''}${file} |`
}

const table = [
  '| Variable | Default | Meaning |',
  '|---|---|---|',
  ...Object.entries(settingsSchema.shape).map(row),
]
const text = await readFile(readme, 'utf8')
const wanted = text.replace(between, `$1${table.join('\n')}\n$2`)
if (process.argv.includes('--check')) {
  if (wanted !== text) {
    process.stderr.write('README.md: the table of settings is out of date; run npm run generate\n')
    process.exitCode = 1
  }
} else await writeFile(readme, wanted)
