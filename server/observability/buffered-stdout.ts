import { type DestinationStream, pino } from 'pino'

const bufferedBytes = 8192

/**
 * File descriptor `fd` as a log's destination: what one turn of the event loop logs is written at its end, in one
 * piece. A line costs a system call otherwise, a tenth of a request and more.
 */
export function gatheredOutput(fd: number | string): DestinationStream {
  const output = pino.destination({ dest: fd, sync: true, minLength: bufferedBytes })
  let isPending = false
  process.once('exit', () => {
    try {
      output.flushSync()
    } catch {
      // Whoever read our lines has gone.
    }
  })
  return {
    write(line) {
      output.write(line)
      if (isPending) return
      isPending = true
      setImmediate(() => {
        isPending = false
        output.flush()
      })
    },
  }
}
