import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort } from '../../server/embedded/ports.ts'
import { createExampleMarket, runExample } from '../examples/support.ts'
import { createTestMarket } from '../support/market.ts'
import { until } from '../support/until.ts'
import { installTools, type ToolFolder } from './tools.ts'

async function installed(...packages: string[]): Promise<ToolFolder> {
  const tools = await installTools(...packages)
  onTestFinished(() => tools.remove())
  return tools
}

test('Spectral 6.16.3 finds nothing in the document', async () => {
  const tools = await installed('@stoplight/spectral-cli@6.16.3')
  await writeFile(join(tools.path, '.spectral.json'), '{"extends":["spectral:oas"]}')
  for (const file of ['openapi.json', 'openapi-3.0.json'])
    expect(await tools.run(`spectral lint --fail-severity hint --format json --quiet ${file}`)).toMatch(
      /^\[\]/,
    )
}, 180_000)

test('Prism 5.16.0, which refuses what the document does not say, lets two agents live a bounty', async () => {
  const tools = await installed('@stoplight/prism-cli@5.16.0')
  const market = await createExampleMarket()
  const port = await choosePort()
  const program = join(tools.path, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const words = [program, 'proxy', 'openapi.json', market.baseUrl, '--errors', '--port', String(port)]
  const prism = spawn(process.execPath, words, { cwd: tools.path, stdio: 'ignore' })
  onTestFinished(async () => {
    prism.kill()
    await once(prism, 'close')
  })
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  expect(await runExample('two-agents.ts', url)).toContain('Grace is notified that the payment is confirmed')
}, 240_000)

interface Execution {
  item: { name: string }
  response?: { code: number; stream: { data: number[] } }
}

test('every request that Postman 6.3.3 and Newman 6.2.2 make of the document reaches an operation, and none fails', async () => {
  const tools = await installed('openapi-to-postmanv2@6.3.3', 'newman@6.2.2')
  const market = await createTestMarket({ engines: false })
  const { key } = await market.register()
  await tools.run('openapi2postmanv2 -s openapi.json -o collection.json')
  const variables = `--env-var baseUrl=${market.baseUrl} --env-var bearerToken=${key}`
  const report = '--reporters json --reporter-json-export report.json'
  await tools.run(
    `newman run collection.json ${variables} --suppress-exit-code --timeout-request 5000 ${report}`,
  )
  const { run } = JSON.parse(await readFile(join(tools.path, 'report.json'), 'utf8'))
  const executions = run.executions as Execution[]
  expect(executions.length).toBeGreaterThan(70)
  const wrong = executions.filter(({ response }) => {
    const body = Buffer.from(response?.stream.data ?? []).toString()
    return (
      !response ||
      response.code >= 500 ||
      body.includes('route_not_found') ||
      body.includes('method_not_allowed')
    )
  })
  expect(wrong.map(({ item, response }) => `${item.name} ${response?.code}`)).toEqual([])
}, 240_000)
