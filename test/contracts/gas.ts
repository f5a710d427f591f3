import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Measurement, measureGas } from './gas-scenario.ts'

// Compares the gas of whole transactions with the committed snapshot, or updates it.
//   tsx test/contracts/gas.ts [--check]

const snapshotFile = join(import.meta.dirname, '.gas-snapshot')

/** The snapshot's text for measurements. */
export function snapshotText(measurements: Measurement[]): string {
  const line = ({ name, gas, limit }: Measurement) =>
    `${name.padEnd(62)} ${String(gas).padStart(8)}${limit === undefined ? '' : `  (at most ${limit})`}`
  return `${measurements.map(line).join('\n')}\n`
}

/** The committed snapshot. */
export async function committedSnapshot(): Promise<string> {
  return readFile(snapshotFile, 'utf8')
}

async function main(): Promise<void> {
  const text = snapshotText(await measureGas())
  if (!process.argv.includes('--check')) {
    await writeFile(snapshotFile, text)
    console.log(text)
  } else if (text !== (await committedSnapshot())) {
    console.error(`Gas has changed; run npm run generate:gas and check the difference.\n${text}`)
    process.exitCode = 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
