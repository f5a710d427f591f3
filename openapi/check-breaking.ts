import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { breakingChanges, declaresBreaking } from './breaking.ts'
import type { Document } from './types.ts'

/**
 * Compares the document with that of the newest release (a tag such as v1.0.0), or of the commit named on the command line.
 * Fails if the document breaks clients and its version does not announce it.
 */
const file = 'openapi/openapi.json'
const after = readFileSync(new URL('openapi.json', import.meta.url), 'utf8')
const base = process.argv[2] ?? git('describe', '--tags', '--abbrev=0', '--match=v*').trim()
const before = base && git('show', `${base}:${file}`)
if (before) report(base, JSON.parse(before) as Document, JSON.parse(after) as Document)
else process.stdout.write('no released document to compare with\n')

function report(commit: string, earlier: Document, now: Document): void {
  const changes = breakingChanges(earlier, now)
  const declared = declaresBreaking(String(earlier.info.version), String(now.info.version))
  process.stdout.write(`${changes.length} breaking changes since ${commit}\n`)
  for (const change of changes) process.stdout.write(`  ${change}\n`)
  if (changes.length === 0 || declared) return
  process.stderr.write('Clients may break: undo that, or raise the major version\n')
  process.exitCode = 1
}

/** The output of git; empty if it fails, for example outside a repository. */
function git(...args: string[]): string {
  try {
    const cwd = new URL('..', import.meta.url)
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
