import type { Logger } from '../../../sdk/src/index.ts'

/** A logger that keeps its lines, each with its level in front. */
export function collector(): { lines: string[]; logger: Logger } {
  const lines: string[] = []
  const at = (level: string) => (line: string) => void lines.push(`${level} ${line}`)
  return { lines, logger: { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') } }
}
