import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { Marketplace } from '../../../sdk/src/index.ts'
import { type ArgumentsSchema, tools } from '../../../sdk/src/tools/index.ts'
import { listOperations } from '../../../server/http/adapter/operations.ts'
import { bindTools } from '../../../server/mcp/tools/definitions.ts'
import { router } from '../../../server/router.ts'

const kit = tools(new Marketplace({ baseUrl: 'https://a.example', apiKey: null }))
const published = bindTools(listOperations(router)).map(({ operation, role, definition }) => ({
  ...definition,
  ...(role && { role }),
  operation,
}))
const ajv = new Ajv2020({ strict: true, strictRequired: true, allowUnionTypes: true })

type Property = Record<string, unknown> & { type: unknown; description?: string; enum?: readonly unknown[] }
interface Schema {
  type: string
  properties: Record<string, Property>
  required: string[]
  additionalProperties: boolean
}

/** The tools of an API by name, with the schema of their arguments there. */
const names = (defined: { name: string }[]) => defined.map(({ name }) => name)
const original = (name: string) =>
  kit.definitions.find((tool) => tool.name === name)?.inputSchema as ArgumentsSchema

/** A value that a schema takes. */
function sample({ type, enum: values, minimum, pattern, items, properties }: Property): unknown {
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([field, property]) => [field, sample(property as Property)]),
    )
  if (items) return [sample(items as Property)]
  if (values) return values[0]
  if (type === 'integer') return minimum ?? 1
  if (type === 'boolean') return true
  return pattern?.toString().includes('0-9a-f')
    ? 'a'.repeat(40)
    : pattern?.toString().includes('act_')
      ? '0'
      : pattern?.toString().includes('\\/')
        ? 'ada/rocket'
        : 'abc'
}

test('the definitions are the tools of the MCP server', () => {
  expect(kit.definitions).toEqual(published)
})

test('`role` leaves out what only the other one needs', () => {
  const of = (role: 'contributor' | 'founder') =>
    names([...tools(new Marketplace({ baseUrl: 'https://a.example' }), { role }).definitions])
  expect(of('contributor')).toEqual(expect.arrayContaining(['claim', 'submit', 'next_actions', 'balances']))
  expect(of('contributor')).not.toContain('approve')
  expect(of('founder')).toEqual(expect.arrayContaining(['approve', 'merge', 'next_actions', 'find_bounties']))
  expect(of('founder')).not.toContain('submit')
})

test('`only` chooses tools', () => {
  const few = tools(new Marketplace({ baseUrl: 'https://a.example' }), { only: ['claim', 'submit'] })
  for (const chosen of [
    few.definitions,
    few.anthropic(),
    few.responses(),
    few.gemini()[0]!.functionDeclarations,
  ])
    expect(names([...chosen])).toEqual(['claim', 'submit'])
})

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas, with the limits of function names and descriptions. */
describe('OpenAI', () => {
  const supported = [
    'type',
    'description',
    'enum',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'anyOf',
    'pattern',
    'format',
    'multipleOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'minItems',
    'maxItems',
    '$ref',
    '$defs',
  ]
  const defined = kit.openai()

  test.each(defined.map((tool) => [tool.function.name, tool] as const))(
    '%s is a strict function',
    (name, tool) => {
      expect(tool).toMatchObject({ type: 'function', function: { strict: true } })
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(tool.function.description.length).toBeLessThanOrEqual(1024)
      const schema = tool.function.parameters as unknown as Schema
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(schema.required).toEqual(Object.keys(schema.properties))
      for (const part of [schema, ...Object.values(schema.properties)])
        expect(supported).toEqual(expect.arrayContaining(Object.keys(part)))
    },
  )

  test.each(defined.map((tool) => [tool.function.name, tool] as const))(
    '%s takes what the tool takes, null for what is left out',
    (name, tool) => {
      const schema = tool.function.parameters as unknown as Schema
      const { properties, required = [] } = original(name)
      const least = Object.fromEntries(
        Object.entries(properties).map(([field, property]) => [
          field,
          required.includes(field) ? sample({ ...property }) : null,
        ]),
      )
      const most = Object.fromEntries(
        Object.entries(properties).map(([field, property]) => [field, sample({ ...property })]),
      )
      for (const args of [least, most]) {
        expect(ajv.validate(schema, args), JSON.stringify(args)).toBe(true)
        const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
        expect(ajv.validate(original(name), given), JSON.stringify(given)).toBe(true)
      }
      for (const field of required) expect(ajv.validate(schema, { ...most, [field]: null })).toBe(false)
    },
  )

  test('what strict mode does not take is said in words', () => {
    const found = defined.find((tool) => tool.function.name === 'find_bounties')!
    const { properties } = found.function.parameters as unknown as Schema
    expect(properties.status).toMatchObject({
      type: ['string', 'null'],
      enum: [...(original('find_bounties').properties.status?.enum ?? []), null],
    })
    const propertiesOf = (name: string) =>
      (defined.find((tool) => tool.function.name === name)!.function.parameters as unknown as Schema)
        .properties
    expect(propertiesOf('wait_for_events').wait?.description).toMatch(/\(default: 50\)$/)
    expect(propertiesOf('create_bounty').tags).toMatchObject({
      type: ['array', 'null'],
      items: { type: 'string', pattern: '^[a-z0-9-]{1,30}$' },
      description: '(maxItems: 5)',
    })
    expect(propertiesOf('comment').text?.description).toMatch(/\(maxLength: 5000\)$/)
  })

  test('without strict mode the schemas are those of the tools', () => {
    for (const { function: tool } of kit.openai({ strict: false })) {
      expect(tool.strict).toBe(false)
      expect(tool.parameters).toEqual(original(tool.name))
    }
  })

  test('the Responses API takes the same functions, flat', () => {
    const flat = defined.map(({ type, function: definition }) => ({ type, ...definition }))
    expect(kit.responses()).toEqual(flat)
    expect(kit.responses({ strict: false }).every(({ strict }) => strict === false)).toBe(true)
  })
})

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
describe('Anthropic', () => {
  test.each(kit.anthropic().map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
    expect(Object.keys(tool)).toEqual(['name', 'description', 'input_schema'])
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(tool.input_schema).toEqual(original(name))
    // Not at the top level of a schema.
    for (const keyword of ['oneOf', 'allOf', 'anyOf']) expect(tool.input_schema).not.toHaveProperty(keyword)
  })
})

/** https://ai.google.dev/api/caching#FunctionDeclaration and https://ai.google.dev/gemini-api/docs/structured-output#json-schema-support */
describe('Gemini', () => {
  const supported = [
    '$id',
    '$defs',
    '$ref',
    '$anchor',
    'type',
    'format',
    'title',
    'description',
    'enum',
    'items',
    'prefixItems',
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'anyOf',
    'oneOf',
    'properties',
    'additionalProperties',
    'required',
  ]
  const declarations = kit.gemini().flatMap(({ functionDeclarations }) => functionDeclarations)

  test('all tools are in one entry', () => {
    expect(kit.gemini()).toHaveLength(1)
    expect(names(declarations)).toEqual(names(published))
  })

  test.each(declarations.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
    expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/)
    const { properties } = original(name)
    // An object without properties is refused, and a function without arguments has no schema.
    expect(tool.parametersJsonSchema === undefined).toBe(Object.keys(properties).length === 0)
    const schema = tool.parametersJsonSchema as Schema | undefined
    for (const part of schema ? [schema, ...Object.values(schema.properties)] : [])
      expect(supported).toEqual(expect.arrayContaining(Object.keys(part)))
    const { maxLength } = properties.description ?? properties.text ?? {}
    const described = schema?.properties.description ?? schema?.properties.text
    if (maxLength) expect(described?.description).toContain(String(maxLength))
  })
})
