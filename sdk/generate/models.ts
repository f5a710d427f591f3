import type { Schema } from '../../openapi/types.ts'
import type { SdkOperation } from './document.ts'

/** An object schema of each query, by its name. */
export function querySchemas(operations: SdkOperation[]): [string, Schema][] {
  return operations.flatMap(({ id, query, parameters }) => {
    const properties = Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    )
    const required = parameters.filter((parameter) => parameter.required).map(({ name = '' }) => name)
    const description = `Query of \`${id}\`.`
    return query ? [[query, { type: 'object', description, properties, required }]] : []
  })
}

/** A named type for each of these schemas. */
export function modelsSource(schemas: Record<string, Schema>): string {
  const models = Object.entries(schemas).map(
    ([name, { description }]) =>
      `${docComment(description ?? '')}export type ${name} = components['schemas']['${name}']\n`,
  )
  return `import type { components } from './schema.ts'\n\n${models.join('\n')}`
}

/** A doc comment of `text`, wrapped, or nothing where there is none. */
export function docComment(text: string, indent = ''): string {
  if (text.trim() === '') return ''
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => wrap(line, 110 - indent.length))
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} *${line ? ` ${line}` : ''}\n`).join('')}${indent} */\n`
}

function wrap(line: string, width: number): string[] {
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last && last.length + word.length + 4 > width) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines
}
