import { type RawBuilder, sql } from 'kysely'
import { type Hex, hexToBytes } from 'viem'

/** What a column of type `bytea` stores for `hex`. */
export function toBytes(hex: Hex): Buffer {
  return Buffer.from(hexToBytes(hex))
}

/** A column of type `bytea` as `0x…`. */
export function hexOf(column: string): RawBuilder<Hex> {
  return sql<Hex>`'0x' || encode(${sql.ref(column)}, 'hex')`
}
