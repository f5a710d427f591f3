import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { formOf } from '../../openapi/forms.ts'
import { readDocument } from './truth.ts'

const run = promisify(execFile)

/** A folder with npm packages and the two forms of the document, `openapi.json` and `openapi-3.0.json`. */
export interface ToolFolder {
  path: string
  /** Runs a program of the packages; what it prints. Rejects where it exits with anything but 0. */
  run(command: string): Promise<string>
  remove(): Promise<void>
}

/** Installs these packages beside the document. */
export async function installTools(...packages: string[]): Promise<ToolFolder> {
  const path = await mkdtemp(join(tmpdir(), 'bounty-marketplace-tools-'))
  const PATH = `${join(path, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const options = { cwd: path, env: { ...process.env, PATH }, maxBuffer: 64 << 20 }
  await writeFile(join(path, 'package.json'), '{"private":true,"type":"module"}')
  for (const file of ['openapi.json', 'openapi-3.0.json'])
    await writeFile(join(path, file), formOf(readDocument(), `/${file}`) ?? '')
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], options)
  return {
    path,
    async run(command) {
      const [program = '', ...words] = command.split(' ')
      return (await run(program, words, options)).stdout
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}
