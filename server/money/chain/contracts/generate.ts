import { readFileSync, writeFileSync } from 'node:fs'
import { generateContracts } from './compile.ts'

// Writes the file that is generated from the contracts. With --check it only checks that it is up to date.

const file = new URL('../generated/contracts.ts', import.meta.url)
try {
  const text = generateContracts()
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text)
    throw new Error('contracts.ts is out of date: run npm run generate:contracts')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
