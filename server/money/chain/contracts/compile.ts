import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'

/** Compiler settings that affect the code. The forge configuration of the contract tests repeats them. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  // Without metadata, a source compiles to identical bytes on every machine.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}

const OUTPUT_SELECTION = { '*': { '*': ['abi', 'evm.bytecode.object'] } }

const CONTRACTS = ['ProjectFactory', 'ProjectToken', 'BondingCurve', 'PlatformWallet'] as const
const here = import.meta.dirname
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
  const messages = (output.errors ?? [])
    .filter((error) => error.severity === 'error' || isOurs(error.sourceLocation?.file))
    .map((error) => error.formattedMessage)
  if (messages.length > 0) throw new Error(messages.join('\n'))
  const errors = new Set<string>()
  const services = CONTRACTS.map((name) => {
    const contract = output.contracts[`${name}.sol`]?.[name]
    if (!contract) throw new Error(`${name}.sol does not define ${name}`)
    for (const entry of contract.abi) if (entry.type === 'error') errors.add(abiLine(entry))
    return contractText(name, contract)
  })
  return [
    '// Written by server/money/chain/contracts/generate.ts (npm run generate:contracts). Do not edit.\n',
    ...services,
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

/** Warnings about the library's own code are ignored. */
function isOurs(file: string | undefined): boolean {
  return file !== undefined && !file.startsWith('solady/')
}

/** The compiler's input: every source with its content, and the settings. */
export interface StandardInput {
  language: 'Solidity'
  sources: Record<string, { content: string }>
  settings: typeof SETTINGS & { outputSelection: typeof OUTPUT_SELECTION }
}

/**
 * The standard JSON input of the contracts, including the libraries. Block explorers need it to verify the sources.
 */
export function standardInput(): StandardInput {
  const sources: StandardInput['sources'] = {}
  const pending = readdirSync(here).filter((file) => file.endsWith('.sol'))
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (sources[path]) continue
    const content = readSource(path)
    sources[path] = { content }
    pending.push(...importsOf(content, path))
  }
  const sorted = Object.fromEntries(Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    language: 'Solidity',
    sources: sorted,
    settings: { ...SETTINGS, outputSelection: OUTPUT_SELECTION },
  }
}

/** The compiler's full version, in the form that block explorers use. */
export function compilerVersion(): string {
  return `v${loadCompiler()
    .version()
    .replace(/\.Emscripten.*$/, '')}`
}

function compile(): CompilerOutput {
  return JSON.parse(loadCompiler().compile(JSON.stringify(standardInput()))) as CompilerOutput
}

function loadCompiler() {
  return load('solc') as { compile(input: string): string; version(): string }
}

function importsOf(source: string, path: string): string[] {
  return [...source.matchAll(/^import\s[^;]*?"([^"]+)";/gm)].map(([, imported = '']) =>
    imported.startsWith('.') ? posix.join(posix.dirname(path), imported) : imported,
  )
}

function readSource(path: string): string {
  return readFileSync(path.startsWith('solady/') ? load.resolve(path) : join(here, path), 'utf8')
}
