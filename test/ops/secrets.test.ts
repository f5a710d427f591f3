import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryDirectory } from '../embedded/support.ts'
import { root } from './support/service.ts'

// The secrets of a deployment: the commands of the manual that make their files, and the shipped files that name them.

const read = (path: string) => readFile(join(root, 'server/ops', path), 'utf8')

/** The blocks of shell commands of the manual that write secrets, without those that need the network or containers. */
async function commandsOfManual(): Promise<string[]> {
  const blocks = [...(await read('OPERATING.md')).matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(
    ([, text]) => text ?? '',
  )
  const makers = blocks.filter((text) => text.includes('> secrets/'))
  expect(makers).toHaveLength(2)
  return makers.map((text) =>
    text.replace(/^docker .*$/gm, '').replace(/^ *curl .*(?= > )/gm, 'cat answer.json'),
  )
}

test('the secrets of the manual are readable by their owner alone, whatever the umask and whatever was there', async () => {
  const cwd = await temporaryDirectory()
  await writeFile(join(cwd, 'answer.json'), '{"id":1,"pem":"a","webhook_secret":"b"}')
  await mkdir(join(cwd, 'secrets'))
  await chmod(join(cwd, 'secrets'), 0o777)
  for (const commands of await commandsOfManual()) {
    const { status, stderr } = spawnSync('sh', ['-e'], {
      cwd,
      input: `umask 000\n${commands}`,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }
  const mode = async (path: string) => (await stat(join(cwd, path))).mode & 0o777
  expect(await mode('secrets')).toBe(0o700)
  const names = await readdir(join(cwd, 'secrets'))
  expect(await Promise.all(names.map((name) => mode(`secrets/${name}`)))).toEqual(names.map(() => 0o600))
  const { secrets } = parse(withApp(await read('container/compose.yaml')))
  expect(names.filter((name) => name !== 'github_token').sort()).toEqual(Object.keys(secrets).sort())
})

/** A shipped file as it is edited for a GitHub App. */
const withApp = (text: string) =>
  text.replaceAll('# App: ', '').replace(/^.*(github_token|GITHUB_TOKEN).*\n/gm, '')

const ofApp = ['GITHUB_APP_PRIVATE_KEY_FILE', 'GITHUB_WEBHOOK_SECRET_FILE']

describe('with a GitHub App in place of a token', () => {
  test.each(['container/compose.yaml', 'cluster/compose.yaml'])(
    '%s gives its servers its settings and secrets',
    async (path) => {
      const { 'x-server': server, secrets } = parse(withApp(await read(path)))
      const files = Object.entries<string>(server.environment).filter(([name]) => name.endsWith('_FILE'))
      expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(ofApp))
      expect(files.map(([, file]) => file.replace('/run/secrets/', '')).sort()).toEqual(
        [...server.secrets].sort(),
      )
      expect(Object.keys(server.environment)).toEqual(
        expect.arrayContaining(['GITHUB_APP_ID', 'GITHUB_APP_INSTALLATION_ID']),
      )
      for (const name of server.secrets) expect(secrets[name].file).toBe(`../../../secrets/${name}`)
    },
  )

  test('the unit of systemd gives its server the credentials that it names', async () => {
    const unit = withApp(await read('host/bounty-marketplace.service'))
    const found = (pattern: RegExp) => [...unit.matchAll(pattern)].map(([, name]) => name)
    const files = found(/^Environment=\w+_FILE=%d\/(\w+)$/gm)
    expect(files).toEqual(expect.arrayContaining(['github_app_private_key', 'github_webhook_secret']))
    expect(found(/^LoadCredential=(\w+):/gm).sort()).toEqual(files.sort())
    expect(found(/^Environment=(\w+_FILE)=/gm)).toEqual(expect.arrayContaining(ofApp))
  })
})
