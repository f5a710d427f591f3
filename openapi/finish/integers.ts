import type { Schema } from '../types.ts'

const largest32 = 2 ** 31 - 1

/**
 * Says of every integer below `part` whether 32 bits hold it, and how large it may be: clients of typed languages take 32 bits
 * where nothing is said. Beyond what JavaScript holds no integer goes.
 */
export function sizeIntegers(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const schema = part as Schema
  if ([schema.type].flat().includes('integer')) {
    schema.maximum ??= Number.MAX_SAFE_INTEGER
    schema.format = schema.maximum <= largest32 ? 'int32' : 'int64'
  }
  for (const member of Object.values(part)) sizeIntegers(member)
}
