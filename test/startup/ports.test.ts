import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import { checkPorts } from '../../server/startup/ports.ts'

async function taken(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

test.each(['PORT', 'METRICS_PORT'])('a %s that is taken is named', async (setting) => {
  const port = await taken()
  await expect(checkPorts(readConfig({ PORT: '0', [setting]: port }))).rejects.toThrow(
    `Port ${port} is taken: set ${setting} to another one`,
  )
})

test('an address of another machine is named', async () => {
  await expect(checkPorts(readConfig({ PORT: '0', HOST: '192.0.2.1' }))).rejects.toThrow(
    'setting HOST: no address of this machine',
  )
})

test('free ports are left free', async () => {
  const config = readConfig({ PORT: String(await choosePort()) })
  await checkPorts(config)
  await checkPorts(config)
})
