import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A bug to plant: `original` of a contract becomes `mutation`, and `test` has to fail. */
export interface PlantedBug {
  /** The line above it in mutants.diff. */
  title: string
  /** Below `server/money/chain/contracts`. */
  file: string
  test: string
  original: string
  mutation: string
}

/** Reads mutants.diff. */
export async function readPlantedBugs(): Promise<PlantedBug[]> {
  const text = await readFile(join(import.meta.dirname, 'mutants.diff'), 'utf8')
  return text.split('\n\n').map((block) => {
    const [title = '', ...lines] = block.trimEnd().split('\n')
    const [, file = '', test = ''] = /^(\S+) (\w+): /.exec(title) ?? []
    const marked = (sign: string) =>
      lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1))
    return { title, file, test, original: marked('-').join('\n'), mutation: marked('+').join('\n') }
  })
}

/** The source with the bug. @throws Error unless the original occurs exactly once */
export function plant({ title, original, mutation }: PlantedBug, source: string): string {
  const [before, after, ...more] = source.split(original)
  if (after === undefined || more.length > 0) throw new Error(`${title}: its text has to occur exactly once`)
  return `${before}${mutation}${after}`
}
