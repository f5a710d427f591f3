/**
 * What `work` comes to; after `ms` milliseconds, what `late` returns or throws. The work itself goes on. The limit keeps no
 * process alive.
 */
export function within<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref()
  })
  return Promise.race([work, isOver.then(late)]).finally(() => clearTimeout(timer))
}
