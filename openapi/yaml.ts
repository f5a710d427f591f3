import type { Json } from './types.ts'

/** JSON as YAML. A library takes a second for the document, in which the process would do nothing else. */
export function yaml(value: Json, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string' && value.includes('\n') && value === value.trim())
    return `|-\n${indent}${value.replaceAll('\n', `\n${indent}`)}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const lines = Array.isArray(value)
    ? value.map((item) => `- ${yaml(item, inner)}`)
    : Object.entries(value).map(
        ([key, member]) => `${keyOf(key)}:${isBlock(member) ? `\n${inner}` : ' '}${yaml(member, inner)}`,
      )
  return lines.length > 0 ? lines.join(`\n${indent}`) : JSON.stringify(value)
}

function isBlock(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** Words such as `n` and `on` are values to older parsers, and digits are numbers. */
function keyOf(key: string): string {
  const isPlain = /^[A-Za-z/$][\w/{}$.-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key)
  return isPlain ? key : JSON.stringify(key)
}
