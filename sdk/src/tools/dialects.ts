import type { ArgumentSchema, ArgumentsSchema, ToolDefinition, ToolName } from './definition.ts'

type JsonObject = Record<string, unknown>

/** A tool for OpenAI's Chat Completions API, and for the many services that speak it. */
export interface ChatCompletionTool {
  type: 'function'
  function: { name: ToolName; description: string; parameters: JsonObject; strict: boolean }
}

/** A tool for OpenAI's Responses API. */
export interface ResponsesTool {
  type: 'function'
  name: ToolName
  description: string
  parameters: JsonObject
  strict: boolean
}

/** A tool for Anthropic's Messages API. */
export interface AnthropicTool {
  name: ToolName
  description: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
}

/** The tools for `config.tools` of Google's Gemini API. */
export interface GeminiTool {
  functionDeclarations: { name: ToolName; description: string; parametersJsonSchema?: unknown }[]
}

/** A tool as Chat Completions take it. */
export function toChatCompletion(tool: ToolDefinition, strict: boolean): ChatCompletionTool {
  const { type, ...definition } = toResponses(tool, strict)
  return { type, function: definition }
}

/** A tool as the Responses API takes it. */
export function toResponses(
  { name, description, inputSchema }: ToolDefinition,
  strict: boolean,
): ResponsesTool {
  const parameters = strict ? withEveryArgument(inputSchema) : { ...inputSchema }
  return { type: 'function', name, description, parameters, strict }
}

/** Not `strict`: the API takes strict tools only with few optional arguments, and without limits of lengths and numbers. */
export function toAnthropic({ name, description, inputSchema }: ToolDefinition): AnthropicTool {
  return { name, description, input_schema: { ...inputSchema } }
}

/** A tool as Gemini takes it: one without arguments has no schema. */
export function toGemini({
  name,
  description,
  inputSchema,
}: ToolDefinition): GeminiTool['functionDeclarations'][0] {
  const parametersJsonSchema = { ...inputSchema, properties: eachProperty(inputSchema, inGemini) }
  const takesArguments = Object.keys(inputSchema.properties).length > 0
  return { name, description, ...(takesArguments && { parametersJsonSchema }) }
}

/** In strict mode every argument is required; `null` stands for one that is left out. */
function withEveryArgument(schema: ArgumentsSchema): JsonObject {
  const { properties, required = [] } = schema
  return {
    ...schema,
    properties: eachProperty(schema, (property, name) => {
      const kept = keep(property, inStrictMode)
      if (required.includes(name)) return kept
      const values = property.enum && { enum: [...property.enum, null] }
      return { ...kept, type: [property.type, 'null'], ...values }
    }),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

function inGemini(property: ArgumentSchema): JsonObject {
  return keep(property, ['type', 'enum', 'minimum', 'maximum', 'items', ...ofObjects])
}

/** The keywords of an argument that is an object. */
const ofObjects = ['properties', 'required', 'additionalProperties']

/** The keywords that OpenAI's strict mode takes. */
const inStrictMode: readonly string[] = [
  'type',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'items',
  ...ofObjects,
]

/** The keywords of a property that an API takes. What the others demand goes into the description. */
function keep(property: ArgumentSchema, keywords: readonly string[]): JsonObject {
  const { description, items, properties, ...rest } = property
  const isKept = ([keyword]: [string, unknown]) => keywords.includes(keyword)
  const entries: [string, unknown][] = Object.entries(rest)
  if (items) entries.push(['items', keep(items, keywords)])
  if (properties) entries.push(['properties', eachProperty({ properties }, (one) => keep(one, keywords))])
  const demands = entries.filter((entry) => !isKept(entry)).map(([keyword, value]) => `${keyword}: ${value}`)
  const said = [description, demands.length > 0 && `(${demands.join(', ')})`].filter(Boolean).join(' ')
  return { ...Object.fromEntries(entries.filter(isKept)), ...(said && { description: said }) }
}

function eachProperty(
  { properties }: Pick<ArgumentsSchema, 'properties'>,
  change: (property: ArgumentSchema, name: string) => JsonObject,
): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, change(property, name)]),
  )
}
