import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { searchEvidence } from '../support/evidence/search.ts'
import { secretsOf } from '../support/evidence/settings.ts'

const secret = randomUUID()
const forms: [string, string][] = [
  ['as it is', secret],
  ['in capitals', secret.toUpperCase()],
  ['as bytes of a row', Buffer.from(secret).toString('hex')],
  ['in base64', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
]

/** What a search finds in a log with `text` in it. */
async function searched(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-evidence-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(
    join(folder, 'some.test.ts.1.secrets'),
    `${JSON.stringify({ what: 'API key', value: secret })}\n`,
  )
  await writeFile(join(folder, 'some.test.ts.1.log'), text)
  return searchEvidence(folder)
}

test.each(forms)(
  'a secret %s is found wherever it begins, and named without being shown',
  async (_, form) => {
    for (let before = 0; before < 9; before++) {
      const { hits } = await searched(`${'.'.repeat(before)}${form} in a line`)
      expect(hits).toMatchObject([{ what: 'API key', file: 'some.test.ts.1.log' }])
      expect(hits[0]?.context).toBe(`${'.'.repeat(before)}[here] in a line`)
    }
  },
)

test('nothing is found in other texts, nor in most of a secret', async () => {
  const noise = randomBytes(1 << 20).toString('base64')
  expect(await searched(`${noise}${secret.slice(0, -1)}|${secret.slice(1)}`)).toMatchObject({
    secrets: 1,
    hits: [],
  })
})

test.each([
  ['DATABASE_URL', 'postgres://user:p%40ss@127.0.0.1:5432/name', ['p@ss']],
  ['CHAIN_RPC_URL', 'http://127.0.0.1:8545', []],
  ['CHAIN_RPC_URL', 'http://127.0.0.1:1,https://node.example/v2/key?token=other', ['v2', 'key', 'other']],
  ['OPERATOR_PRIVATE_KEYS', '0x01,0x02', ['0x01', '0x02']],
  ['PORT', '8080', []],
])('of %s=%s, host and port are no secret: %j is', (name, setting, secret) => {
  expect(secretsOf(name, setting).map(({ value }) => value)).toEqual(secret)
})
