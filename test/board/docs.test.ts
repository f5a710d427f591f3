import { execFile } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { resolve } from '../../openapi/references.ts'
import type { Operation } from '../../openapi/types.ts'
import { ApiError, Marketplace } from '../../sdk/src/index.ts'
import { serve } from '../http/serve.ts'
import { readDocument } from '../openapi/truth.ts'
import { unpackPython } from '../sdk/support/python.ts'
import { startServer } from '../support/server.ts'

const run = promisify(execFile)
const served = await serve()
const document = readDocument()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    request: `${method.toUpperCase()} ${path.replace(/[{}]/g, '')}`,
    operation,
  })),
)
const parameters = [
  ...new Set(Object.keys(document.paths).flatMap((path) => path.match(/(?<=\{)\w+/g) ?? [])),
]

/** What the operation of a request needs and the request lacks. */
function missingIn({ method, url, headers }: IncomingMessage): string[] {
  const { operation } = operations.find(({ request }) => request === `${method} ${url}`) ?? {}
  const needed = (operation?.parameters ?? [])
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'header' && parameter.required)
  const isPublic = operation?.security?.length === 0
  return [
    ...(isPublic ? [] : ['authorization']),
    ...needed.map(({ name = '' }) => name.toLowerCase()),
  ].filter((name) => headers[name] === undefined)
}

const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']?.example
const expected = operations
  .map(({ request, operation }) => ({ request, body: bodyOf(operation), missing: [] as string[] }))
  .toSorted((one, other) => one.request.localeCompare(other.request))

let arrived: { request: string; body: unknown; missing: string[] }[] = []
beforeEach(() => {
  arrived = []
})
/** Refuses everything, and keeps what came. */
const host = await startServer(async (request, response) => {
  const sent = await text(request)
  const body = sent === '' ? undefined : JSON.parse(sent)
  arrived.push({ request: `${request.method} ${request.url}`, body, missing: missingIn(request) })
  const error = { code: 'forbidden', message: 'No.', retryable: false, request_id: 'req_1' }
  response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
})
const sorted = () => arrived.toSorted((one, other) => one.request.localeCompare(other.request))

/** The calls that the pages of all subjects show in a language. */
async function callsIn(language: string): Promise<string[]> {
  const pages = (document.tags ?? []).map(async ({ name }) => {
    const page = await fetch(`${served.baseUrl}/docs/${name}.md?lang=${language}`)
    const calls = (await page.text()).matchAll(/^(?:GET|POST|PUT|PATCH|DELETE) \/\S+:\n\n((?: {4}.*\n)+)/gm)
    return [...calls].map(([, call = '']) => call)
  })
  return (await Promise.all(pages)).flat()
}

test('curl calls each operation as the document describes it', { tags: 'curl' }, async () => {
  const variables = parameters.map((name) => `${name}=${name}`)
  const env = { ...process.env, BOUNTY_MARKETPLACE_URL: host.url, BOUNTY_MARKETPLACE_API_KEY: 'key' }
  await run('bash', ['-c', [...variables, ...(await callsIn('curl'))].join('\n')], { env })
  expect(sorted()).toEqual(expected)
})

test('TypeScript calls each operation as the document describes it', async () => {
  const market = new Marketplace({ baseUrl: host.url, apiKey: 'key' })
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
  for (const call of await callsIn('typescript'))
    await expect(
      new AsyncFunction('market', ...parameters, call)(market, ...parameters),
      call,
    ).rejects.toThrow(ApiError)
  expect(sorted()).toEqual(expected)
})

test('Python calls each operation as the document describes it', { tags: 'python' }, async () => {
  const variables = { BOUNTY_MARKETPLACE_URL: host.url, BOUNTY_MARKETPLACE_API_KEY: 'key' }
  const site = { PYTHONPATH: await unpackPython(), PYTHONDONTWRITEBYTECODE: '1' }
  const env = { ...process.env, ...variables, ...site }
  const page = await (await fetch(`${served.baseUrl}/docs/bounties.md?lang=python`)).text()
  const [first = ''] = page.match(/ {4}from bounty_marketplace.*\n {4}.*\n/) ?? []
  const program = `
import sys, json, textwrap
from bounty_marketplace import ApiError
names = {name: name for name in json.loads(sys.argv[1])}
exec(textwrap.dedent(sys.argv[2]))
for call in json.load(sys.stdin):
    try:
        exec(textwrap.dedent(call), {"market": market, **names})
    except ApiError:
        pass
`
  const running = run('python3', ['-c', program, JSON.stringify(parameters), first], { env })
  running.child.stdin?.end(JSON.stringify(await callsIn('python')))
  await running
  expect(sorted()).toEqual(expected)
})

test('an unknown language is curl, and the index keeps a known one', async () => {
  const page = async (query: string) => (await fetch(`${served.baseUrl}/docs/bounties${query}`)).text()
  expect(await page('?lang=cobol')).toContain('curl -X POST')
  const python = await page('?lang=python')
  expect(python).toContain('market.bounties.claim(id, {')
  expect(python).toContain('href="/docs/agents?lang=python"')
})
