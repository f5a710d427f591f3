import { type Logger, pino } from 'pino'
import { noteText } from './write.ts'

/** A log whose lines are recorded: `log`, or by default one of all levels, printed only if TEST_LOG_LEVEL is set. */
export function notedLog(log: Logger = quietLog()): Logger {
  const own = log as Logger & Record<typeof pino.symbols.streamSym, { write(line: string): void }>
  const stream = own[pino.symbols.streamSym]
  own[pino.symbols.streamSym] = {
    ...stream,
    write(line) {
      noteText('log', line)
      Reflect.apply(stream.write, stream, [line])
    },
  }
  return log
}

function quietLog(): Logger {
  const level = process.env.TEST_LOG_LEVEL
  return level ? pino({ level }) : pino({ level: 'debug' }, { write: () => undefined })
}
