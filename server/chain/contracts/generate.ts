import { readFileSync, writeFileSync } from 'node:fs'
import { generateContracts } from './compile.ts'
import { drawPrice } from './plot.ts'

// Writes the files that are generated from the contracts. With --check it only checks that they are up to date.

const targets: [string, () => string][] = [
  ['../generated/contracts.ts', generateContracts],
  ['price.svg', drawPrice],
]

for (const [name, make] of targets) {
  const file = new URL(name, import.meta.url)
  try {
    const text = make()
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      throw new Error(`${name} is out of date: run npm run generate:contracts`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
