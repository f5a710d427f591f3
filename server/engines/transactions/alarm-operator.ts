import type { LaneContext } from './tick.ts'

/** Calls a person for a transaction of this lane, or for what it was to bring about. */
export function alarmOperator(
  { alarm, address }: LaneContext,
  { id, subject }: { id: number; subject: string | null },
  why: string,
): void {
  alarm({ kind: 'needs_operator', lane: address.toLowerCase(), transaction: id, subject, why })
}
