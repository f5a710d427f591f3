import { checkConfiguration } from './check-configuration.ts'

/* `npm run config:check`: one line a finding; status 1 where something is wrong. */
const findings = await checkConfiguration(process.env)
const width = Math.max(...findings.map(({ about }) => about.length))
for (const { level, about, text } of findings)
  process.stdout.write(`${level.padEnd(5)}  ${about.padEnd(width)}  ${text}\n`)
process.exit(findings.some(({ level }) => level === 'wrong') ? 1 : 0)
