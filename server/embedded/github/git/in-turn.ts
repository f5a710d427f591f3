import pLimit from 'p-limit'
import { limitPerKey } from '../../../config/limit-per-key.ts'

/** A holder has as many waiting as it may. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting'

  constructor() {
    super('Too many of your requests wait in this repository: try again.')
  }
}

/**
 * So many turns at a time, of which no holder has more than one: however much one has waiting, each other one waits for a single turn of it.
 * @returns a function that runs the work in its turn. It throws TooManyWaiting where `mostWaiting` of the holder wait behind its next one.
 */
export function fairTurns<Holder>(most: number) {
  const all = pLimit(most)
  const { run, waiting } = limitPerKey<Holder>(1)
  const take = async <T>(holder: Holder, work: () => Promise<T>, mostWaiting = Infinity): Promise<T> => {
    if (waiting(holder) >= mostWaiting) throw new TooManyWaiting()
    return run(holder, () => all(work))
  }
  /** Whether work of other holders waits for a turn, or of this one as well. */
  const isAwaited = (holder?: Holder) => all.pendingCount + (holder === undefined ? 0 : waiting(holder)) > 0
  return Object.assign(take, { isAwaited })
}

/** In each repository one turn at a time, fair by account. */
export function turnsInRepositories() {
  const turns = new Map<number, ReturnType<typeof fairTurns<string>>>()
  const take = <T>({ id }: { id: number }, ...asked: [string, () => Promise<T>, number?]): Promise<T> => {
    const turn = turns.get(id) ?? fairTurns<string>(1)
    turns.set(id, turn)
    return turn(...asked)
  }
  /** Whether another account waits for the turn. */
  const isAwaited = ({ id }: { id: number }) => turns.get(id)?.isAwaited() ?? false
  return Object.assign(take, { isAwaited })
}
