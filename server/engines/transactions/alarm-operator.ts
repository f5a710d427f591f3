import type { LaneContext } from './lane-context.ts'

/** Calls a person for a transaction of this lane, or for what it was to bring about. */
export function alarmOperator(
  { alarm, address }: LaneContext,
  { id, entityId }: { id: number; entityId: string | null },
  why: string,
): void {
  alarm({ kind: 'needs_operator', lane: address.toLowerCase(), transaction: id, entityId, why })
}
