import { listOperations } from '../../server/http/adapter/operations.ts'
import { bindTools } from '../../server/mcp/tools/definitions.ts'
import { router } from '../../server/router.ts'
import type { ArgumentSchema, ToolDefinition } from '../src/tools/definition.ts'
import { docComment } from './doc-comment.ts'

/** The tools of the marketplace, and a type for the arguments of each. */
export function toolsSource(): string {
  const tools = bindTools(listOperations(router)).map(
    ({ operation, role, definition }) => ({ ...definition, role, operation }) as unknown as ToolDefinition,
  )
  return `import type { ToolDefinition } from '../tools/definition.ts'

/** The arguments of each tool, by its name. */
export interface ToolArguments {
${tools.map(argumentsSource).join('')}}

/** Every tool of the marketplace, as its MCP server lists them. */
export const definitions: readonly ToolDefinition[] = [
${tools
  .map(
    (tool) => `  ${JSON.stringify(tool)},
`,
  )
  .join('')}]
`
}

function argumentsSource({ name, description, inputSchema }: ToolDefinition): string {
  const fields = Object.entries(inputSchema.properties).map(([field, schema]) => {
    // A program may leave the key to the client, as with every other write.
    const isRequired = inputSchema.required?.includes(field) === true && field !== 'idempotency_key'
    const type = `${typeOf(name, field, schema)}${isRequired ? '' : ' | undefined'}`
    return `${docComment(schema.description ?? '', '    ')}    ${field}${isRequired ? '' : '?'}: ${type}\n`
  })
  const type = fields.length > 0 ? `{\n${fields.join('')}  }` : 'Record<string, never>'
  return `${docComment(description, '  ')}  ${name}: ${type}\n`
}

function typeOf(tool: string, field: string, schema: ArgumentSchema): string {
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.items) return `${typeOf(tool, field, schema.items)}[]`
  if (schema.properties) {
    const members = Object.entries(schema.properties).map(([name, of]) => {
      const mark = schema.required?.includes(name) ? '' : '?'
      return `${name}${mark}: ${typeOf(tool, name, of)}`
    })
    return `{ ${members.join('; ')} }`
  }
  const type = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' }[schema.type]
  if (!type) throw new Error(`${tool}: ${field} has no simple type`)
  return type
}
