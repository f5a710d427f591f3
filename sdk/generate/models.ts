import type { Document } from '../../openapi/types.ts'
import type { SdkOperation } from './document.ts'

/** A type for every component schema and every query of the document. */
export function modelsSource(document: Document, operations: SdkOperation[]): string {
  const models = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${docComment(schema.description ?? '')}export type ${name} = components['schemas']['${name}']\n`,
  )
  const queries = operations.flatMap(({ id, query }) =>
    query
      ? [
          `/** Query of \`${id}\`. */\nexport type ${query} = NonNullable<operations['${id}']['parameters']['query']>\n`,
        ]
      : [],
  )
  const imported = queries.length > 0 ? 'components, operations' : 'components'
  return `import type { ${imported} } from './schema.ts'\n\n${[...models, ...queries].join('\n')}`
}

/** A doc comment of `text`, wrapped, or nothing where there is none. */
export function docComment(text: string, indent = ''): string {
  if (text.trim() === '') return ''
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => wrap(line, 110 - indent.length))
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
