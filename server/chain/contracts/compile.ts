import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Compiler settings; the forge configuration of the contract tests repeats them. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  // No metadata behind the code: the same source gives the same bytes, wherever it is compiled.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}

const CONTRACTS = ['ProjectFactory', 'ProjectToken', 'BondingCurve', 'PlatformWallet'] as const
const here = dirname(fileURLToPath(import.meta.url))
const target = resolve(here, '../generated/contracts.ts')
const load = createRequire(import.meta.url)

type AbiEntry = { type: string }

interface CompiledContract {
  abi: AbiEntry[]
  evm: { bytecode: { object: string } }
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string; sourceLocation?: { file: string } }[]
  contracts: Record<string, Record<string, CompiledContract>>
}

/** Compiles the contracts and returns the text of the generated module. Throws with the compiler's messages. */
export function generateContracts(): string {
  const output = compile()
  const complaints = (output.errors ?? [])
    .filter((error) => error.severity === 'error' || isOurs(error.sourceLocation?.file))
    .map((error) => error.formattedMessage)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  const errors = new Set<string>()
  const parts = CONTRACTS.map((name) => {
    const contract = output.contracts[`${name}.sol`]?.[name]
    if (!contract) throw new Error(`${name}.sol does not define ${name}`)
    for (const entry of contract.abi) if (entry.type === 'error') errors.add(abiLine(entry))
    return contractText(name, contract)
  })
  return [
    '// Written by server/chain/contracts/compile.ts (npm run generate:contracts). Do not edit.\n',
    ...parts,
    '/** Every error of the four contracts: a call can revert with an error of a contract further in. */',
    `export const contractErrors = [\n${[...errors].join('\n')}\n] as const\n`,
  ].join('\n')
}

function contractText(name: string, contract: CompiledContract): string {
  const constant = name.charAt(0).toLowerCase() + name.slice(1)
  return [
    `/** ABI and creation bytecode of ${name}. */`,
    `export const ${constant} = {`,
    `  abi: [\n${contract.abi.map(abiLine).join('\n')}\n  ],`,
    `  bytecode:\n    '0x${contract.evm.bytecode.object}',`,
    '} as const\n',
  ].join('\n')
}

function abiLine(entry: AbiEntry): string {
  return `    ${JSON.stringify(entry, (key, value) => (key === 'internalType' ? undefined : value))},`
}

/** Warnings about the library's own style are not ours to mend. */
function isOurs(file: string | undefined): boolean {
  return file !== undefined && !file.startsWith('solady/')
}

function compile(): CompilerOutput {
  const solc = load('solc') as {
    compile(
      input: string,
      callbacks: { import(path: string): { contents: string } | { error: string } },
    ): string
  }
  const sources = Object.fromEntries(
    readdirSync(here)
      .filter((file) => file.endsWith('.sol'))
      .sort()
      .map((file) => [file, { content: readFileSync(join(here, file), 'utf8') }]),
  )
  const input = { language: 'Solidity', sources, settings: SETTINGS }
  return JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })) as CompilerOutput
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith('solady/') ? load.resolve(path) : join(here, path)
    return { contents: readFileSync(file, 'utf8') }
  } catch {
    return { error: `${path} not found` }
  }
}

function main(): void {
  let text: string
  try {
    text = generateContracts()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
    return
  }
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text)
    return
  }
  if (readFileSync(target, 'utf8') === text) return
  process.stderr.write('server/chain/generated/contracts.ts is out of date: run npm run generate:contracts\n')
  process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
