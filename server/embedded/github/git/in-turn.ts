import pLimit, { type LimitFunction } from 'p-limit'

/** Runs the work of each holder one after the other; that of different holders at the same time. */
export function oneAtATimeEach<Holder>() {
  const turns = new Map<Holder, LimitFunction>()
  return <T>(holder: Holder, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(holder) ?? pLimit(1)
    turns.set(holder, turn)
    return turn(work)
  }
}
