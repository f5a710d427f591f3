import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test('what a file leaves running or changed fails that file, also if its tests were skipped or its top level threw', () => {
  const config = join(import.meta.dirname, 'fixtures/vitest.config.ts')
  const { VITEST: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config],
    { cwd: root, env: { ...env, NO_COLOR: '1' }, encoding: 'utf8' },
  )
  const failures = (stdout + stderr).split(' FAIL ').slice(1)
  const of = (name: string) =>
    failures.filter((failure) => failure.includes(`${name}.fixture.ts [`)).join('\n')
  const at = (name: string) => `started at test/support/leaks/fixtures/${name}.fixture.ts:`
  expect(status).toBe(1)
  expect(of('skipped')).toContain('left by this file:\na market is open\n')
  expect(of('thrown')).toContain('at the top level')
  expect(of('thrown')).toMatch(/^a server on .*$/m)
  expect(of('thrown')).toContain(at('thrown'))
  expect(of('thrown')).toContain('fake timers is true')
  expect(of('passed')).toMatch(/^process \d+ \(sleep 60\), started/m)
  expect(of('passed')).toContain(`setInterval of 1234 ms, ${at('passed')}`)
  expect(of('passed')).toContain("process.env.LEFT is 'here' and was undefined")
  expect(of('passed')).toContain('subscribers of left is 1 and was undefined')
  expect(of('passed')).toContain('console.table is ')
  expect(of('tidy')).toBe('')
})
