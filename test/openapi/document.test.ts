import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { buildDocument } from '../../openapi/document.ts'
import { formOf } from '../../openapi/forms.ts'
import { generatedFile } from '../../openapi/generated-file.ts'
import { errorsOf, resolve } from '../../openapi/references.ts'
import type { Document, Json, MediaType, Parameter, Response, Schema } from '../../openapi/types.ts'
import { errorCatalog } from '../../server/errors.ts'
import { listOperations } from '../../server/http/adapter/operations.ts'
import { operationErrors } from '../../server/lifecycle/declared-errors.ts'
import { router } from '../../server/router.ts'
import type { OperationMeta } from '../../server/trpc.ts'
import { directoryForFile } from '../embedded/support.ts'
import { readDocument } from './truth.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const document = readDocument()
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)
const served = listOperations(router)

test('it is what the router generates', () => {
  expect(JSON.stringify(document, null, 1)).toBe(JSON.stringify(buildDocument(), null, 1))
})

test('a document that has drifted fails the check and stays as it is', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const before = process.exitCode
  generatedFile(new URL('../../openapi/openapi.json', import.meta.url), 'something else', true)
  expect(process.exitCode).toBe(1)
  process.exitCode = before
  expect(write).toHaveBeenCalledWith(expect.stringContaining('run the generator'))
  write.mockRestore()
  expect(readDocument()).toEqual(document)
})

describe('its forms', () => {
  const tags = (document.tags ?? []).map(({ name }) => name)
  let folder: string
  beforeAll(async () => {
    folder = await directoryForFile()
    await mkdir(join(folder, 'openapi'))
    const paths = ['openapi.json', 'openapi-3.0.json', ...tags.map((tag) => `openapi/${tag}.json`)]
    for (const path of paths) await writeFile(join(folder, path), formOf(document, `/${path}`) ?? '')
  })

  /** Rejects with what is wrong with files of the folder, if anything is. */
  const lint = (...args: string[]) =>
    run('node_modules/.bin/redocly', ['lint', ...args], {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })

  test.each(['openapi.json', 'openapi-3.0.json'])(
    'Redocly has neither an error nor a warning about %s',
    async (name) => {
      const { stderr } = await lint('--config', 'openapi/redocly.yaml', join(folder, name))
      expect(stderr).toContain('is valid')
      expect(stderr).not.toMatch(/\d warning/)
    },
  )

  test('the document of each tag is valid', async () => {
    const { stderr } = await lint('--extends', 'minimal', join(folder, 'openapi/*.json'))
    expect(stderr.match(/: validated in/g)).toHaveLength(tags.length)
  })

  test('those of all tags together have every operation once, and each is short enough for a model', () => {
    const operations = tags.flatMap((tag) => {
      const text = formOf(document, `/openapi/${tag}.json`) ?? ''
      expect(text.length).toBeLessThanOrEqual(74_000)
      return idsOf(JSON.parse(text).paths)
    })
    expect(operations.sort()).toEqual(idsOf(document.paths).sort())
  })

  test('each operation of a tag says which errors are its own', () => {
    const { paths } = JSON.parse(formOf(document, '/openapi/bounties.json') ?? '') as Document
    const { responses } = paths['/api/bounties/{id}/claim']?.post ?? {}
    expect(Object.keys(responses ?? {})).toEqual(['200', 'default'])
    expect(responses?.default?.description).toMatch(
      /^400 validation_failed, .*; 401 unauthorized; .*bounty_not_open/,
    )
  })

  test('another tag has none', () => {
    expect(formOf(document, '/openapi/nothing.json')).toBeUndefined()
  })
})

function idsOf(paths: Document['paths']): string[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
}

test('it has every operation of the router and no other', () => {
  const inDocument = documented.map(
    ({ path, method, operation }) => `${operation.operationId} ${method} ${path}`,
  )
  const inRouter = served.map(({ id, method, path }) => `${id} ${method} ${path}`)
  expect(inDocument.sort()).toEqual(inRouter.sort())
})

describe.each(documented.map((entry) => [entry.operation.operationId, entry] as const))('%s', (id, entry) => {
  const { operation } = entry
  const procedure = router._def.procedures[id as keyof typeof router._def.procedures]
  const meta = (procedure as unknown as { _def: { meta: OperationMeta } })._def.meta
  const answers = Object.entries(operation.responses).map(
    ([status, response]) => [Number(status), response] as const,
  )

  test('has its one success status', () => {
    const successes = answers.filter(([status]) => status < 300).map(([status]) => status)
    expect(successes).toEqual([meta.status])
  })

  test('lists exactly the codes it can give, each at its status', () => {
    const codes = [...errorsOf(document, operation)].flatMap(([status, group]) =>
      group.map((code): [string, number] => [code, status]),
    )
    const possible = operationErrors(meta, served.find((candidate) => candidate.id === id)?.input != null)
    expect(new Map(codes)).toEqual(new Map(possible.map((code) => [code, errorCatalog[code].status])))
  })

  test('says whether it needs an API key', () => {
    expect(operation.security ?? document.security).toEqual(meta.access === 'agent' ? [{ apiKey: [] }] : [])
    expect(Object.hasOwn(operation.responses, '401')).toBe(meta.access === 'agent')
  })

  test('has a summary, a description and named bodies', () => {
    expect(operation.summary).toBeTruthy()
    expect(operation.description).toBeTruthy()
    const bodies = [operation.requestBody?.content, operation.responses[meta.status]?.content]
    for (const content of bodies)
      if (content) expect(content['application/json']?.schema).toEqual({ $ref: expect.any(String) })
  })
})

test('no header has a value that Swagger UI would prefill: an example of a key would become the key of everybody', () => {
  const inline = documented.flatMap(({ operation }) => operation.parameters ?? [])
  const headers = [...inline, ...Object.values(document.components.parameters ?? {})].filter(
    (parameter) => parameter.in === 'header',
  )
  expect(headers.map(({ name }) => name)).toContain('Idempotency-Key')
  for (const header of headers)
    expect(JSON.stringify(header)).not.toMatch(/"(example|examples|default|const|enum)":/)
})

test('every property of a request or response and every parameter has a description', () => {
  const bare: string[] = []
  const visit = (schema: Schema, path: string) => {
    const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    for (const part of parts) if (part) visit(part, path)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!(property.description ?? resolve(document, property).description)) bare.push(`${path}.${name}`)
      visit(property, `${path}.${name}`)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name)
  for (const { path, operation } of documented)
    for (const { $ref, name, description, schema } of operation.parameters ?? [])
      if (!$ref && !(description ?? schema?.description)) bare.push(`${path}?${name}`)
  expect(bare).toEqual([])
})

describe('what a client of a typed language reads', () => {
  const schemas = [...everySchema(document as unknown as Json, '')]

  test('every integer says how large it may be, and whether 32 bits hold it', () => {
    const integers = schemas.filter(([, { type }]) => [type].flat().includes('integer'))
    const wide = integers.filter(([, { format }]) => format !== 'int32').map(([path]) => path)
    for (const [path, { format, maximum = Infinity }] of integers)
      expect([path, format, maximum <= Number.MAX_SAFE_INTEGER]).toEqual([
        path,
        maximum < 2 ** 31 ? 'int32' : 'int64',
        true,
      ])
    expect(wide.map((path) => path.split('/').at(-1) ?? '')).toEqual(
      expect.arrayContaining(['TokenSupply', 'RewardAmount', 'block_number', 'token_supply', 'account_id']),
    )
  })

  test('every array says how long it may be, but those that nothing or a setting bounds', () => {
    const endless = schemas.filter(([, { type, maxItems }]) => type === 'array' && maxItems === undefined)
    expect(endless.map(([path]) => path.split('/properties/').at(-1)).sort()).toEqual([
      'active_claims',
      'issues',
      'revisions',
      'submissions',
    ])
  })

  test('every operation says at 429 how long to wait', () => {
    for (const { operation } of documented) {
      const { headers } = resolve(document, operation.responses['429'] ?? {}) as Response
      expect(Object.keys(headers ?? {})).toEqual(['RateLimit', 'RateLimit-Policy', 'Retry-After'])
    }
  })

  test('every parameter of a path has an example', () => {
    const inPath = documented.flatMap(({ path, operation }) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
        (operation.parameters ?? [])
          .map((parameter) => resolve(document, parameter) as Parameter)
          .find((parameter) => parameter.in === 'path' && parameter.name === name),
      ),
    )
    for (const parameter of inPath) expect(parameter?.example).toMatch(/^[a-z]+_[a-z0-9]{20}$/)
  })
})

describe('what webhooks send', () => {
  const { event, challenge } = document.webhooks ?? {}

  test('has three headers, a named body and no other member', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual(['challenge', 'event'])
    for (const webhook of [event, challenge]) {
      const { post, ...others } = webhook ?? {}
      expect(others).toEqual({})
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      expect(post?.parameters?.map(({ name }) => name)).toEqual(names)
      expect(post?.requestBody?.content['application/json']?.schema).toEqual({ $ref: expect.any(String) })
    }
    expect(JSON.stringify(document.webhooks)).not.toContain('"x-')
  })

  test('an event is one of GET /api/events', () => {
    const listed = document.components.schemas.EventsListResponse?.properties?.events?.items
    expect(document.components.schemas.WebhookPayload?.properties?.data).toEqual(listed)
    expect(Object.keys(event?.post?.responses ?? {})).toEqual(['410', '2XX', 'default'])
  })

  test('is left out of the document for 3.0, which has no place for it', async () => {
    const older = JSON.parse(formOf(document, '/openapi-3.0.json') ?? '') as Document
    expect(older.webhooks).toBeUndefined()
    expect(older.components.schemas.Event).toBeDefined()
    expect(older.components.schemas.WebhookPayload).toBeUndefined()
  })
})

test('every amount has its unit in its description', () => {
  const amounts = /_amount$|_supply$|_bps$|^(net|fee|balance|allowance|committed|available|rewards_paid)$/
  const units = /whole tokens|base units|basis points|dollars/
  const found = Object.values(document.components.schemas).flatMap((schema) => amountsOf(schema))
  expect(found.length).toBeGreaterThan(12)
  for (const [name, description] of found) expect(`${name}: ${description}`).toMatch(units)

  function amountsOf(schema: Schema): [string, string | undefined][] {
    const own = Object.entries(schema.properties ?? {})
    const named = own.filter(([name, { $ref }]) => amounts.test(name) && !/(Id|Allowance)$/.test($ref ?? ''))
    return [
      ...named.map(([name, property]): [string, string | undefined] => [
        name,
        property.description ?? resolve(document, property).description,
      ]),
      ...own.flatMap(([, property]) => amountsOf(property)),
      ...(schema.anyOf ?? []).flatMap(amountsOf),
    ]
  }
})

test('every example validates', () => {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema({ ...(document as object), $id: 'document' })
  const media = [...everyMedia(document as unknown as Json)]
  expect(media.length).toBeGreaterThan(documented.length)
  for (const { schema, example } of media) {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
    const validate = ajv.compile(absolute)
    expect(validate(example), ajv.errorsText(validate.errors)).toBe(true)
  }
})

/** Every schema, with its path. */
function* everySchema(value: Json, path: string): Generator<[string, Schema]> {
  if (value === null || typeof value !== 'object') return
  if ('type' in value && typeof value.type !== 'object') yield [path, value as Schema]
  if ('type' in value && Array.isArray(value.type)) yield [path, value as Schema]
  for (const [name, member] of Object.entries(value))
    if (!/^examples?$|^default$/.test(name)) yield* everySchema(member, `${path}/${name}`)
}

function* everyMedia(value: Json): Generator<MediaType> {
  if (value === null || typeof value !== 'object') return
  for (const [name, member] of Object.entries(value)) {
    // Errors have none.
    if (name === 'application/json' && (member as MediaType).example) yield member as MediaType
    else yield* everyMedia(member)
  }
}
