import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { errorCode, syncDirectory } from '../files.ts'
import { EmbeddedError } from '../parts.ts'

const Protection = z.object({
  enforceAdmins: z.boolean(),
  /** Approvals a pull request needs; `null`: no pull request needed. */
  approvals: z.number().nullable(),
  allowForcePushes: z.boolean(),
  allowDeletions: z.boolean(),
})
const Repository = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string().nullable(),
  homepage: z.string().nullable(),
  private: z.boolean(),
  hasIssues: z.boolean(),
  hasWiki: z.boolean(),
  hasProjects: z.boolean(),
  topics: z.array(z.string()).default([]),
  /** Text of README.md; `null`: a repository without a commit. Journals of earlier versions do not tell. */
  readme: z.string().nullable().optional(),
  protection: Protection.nullable().default(null),
  createdAt: z.string(),
})
const Pull = z.object({
  id: z.number(),
  repository: z.string(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullable(),
  head: z.string(),
  base: z.string(),
  draft: z.boolean(),
  createdAt: z.string(),
})
const Entry = z.union([z.object({ repository: Repository }), z.object({ pull: Pull })])

export type StoredRepository = z.infer<typeof Repository>
/** What of a repository may change. */
export type Settings = Pick<StoredRepository, 'topics' | 'readme' | 'protection'>
/** `repository` is the repository's name. */
export type StoredPull = z.infer<typeof Pull>

/** Repositories and pull requests, found without regard to letter case. */
export interface Store {
  repositories(): StoredRepository[]
  repository(name: string): StoredRepository | undefined
  pulls(repository: string): StoredPull[]
  pull(repository: string, number: number): StoredPull | undefined
  /** `undefined` if there is one of that name. Resolves when it is safely on disk. */
  addRepository(fields: Omit<StoredRepository, 'id' | 'createdAt'>): Promise<StoredRepository | undefined>
  /**
   * Changes what `decide` makes of the present state, one change after the other; if it throws, nothing changes.
   * Resolves when it is safely on disk.
   */
  changeRepository(
    name: string,
    decide: (repository: StoredRepository) => Partial<Settings>,
  ): Promise<StoredRepository>
  /** `undefined` if there is one from `head` into `base`. Resolves when it is safely on disk. */
  addPull(fields: Omit<StoredPull, 'id' | 'number' | 'createdAt'>): Promise<StoredPull | undefined>
  close(): Promise<void>
}

/** Opens the journal in `directory`: one JSON line for each thing created or changed, synced before it counts. */
export async function openStore(directory: string): Promise<Store> {
  const journal = await openJournal(join(directory, 'journal.jsonl'))
  const repositories = new Map<string, StoredRepository>()
  const pulls = new Map<string, StoredPull[]>()
  const key = (name: string) => name.toLowerCase()
  const pullsOf = (name: string) => pulls.get(key(name)) ?? []
  const oneAtATime = pLimit(1)
  let pullCount = 0

  function apply(entry: z.infer<typeof Entry>): void {
    if ('repository' in entry) {
      repositories.set(key(entry.repository.name), entry.repository)
    } else {
      const { pull } = entry
      pulls.set(key(pull.repository), [...pullsOf(pull.repository), pull])
      pullCount++
    }
  }
  for (const entry of journal.entries) apply(entry)

  async function record<T extends z.infer<typeof Entry>>(entry: T): Promise<T> {
    await journal.append(entry)
    apply(entry)
    return entry
  }

  return {
    repositories: () => [...repositories.values()],
    repository: (name) => repositories.get(key(name)),
    pulls: pullsOf,
    pull: (name, number) => pullsOf(name).find((pull) => pull.number === number),
    addRepository: (fields) =>
      oneAtATime(async () => {
        if (repositories.has(key(fields.name))) return undefined
        const repository = { ...fields, id: repositories.size + 1, createdAt: now() }
        return (await record({ repository })).repository
      }),
    changeRepository: (name, decide) =>
      oneAtATime(async () => {
        const present = repositories.get(key(name))
        if (!present) throw new Error('there is no such repository')
        // The whole repository again: the last line of the journal counts.
        return (await record({ repository: { ...present, ...decide(present) } })).repository
      }),
    addPull: (fields) =>
      oneAtATime(async () => {
        const existing = pullsOf(fields.repository)
        if (existing.some(({ head, base }) => head === fields.head && base === fields.base)) return undefined
        const pull = { ...fields, id: pullCount + 1, number: existing.length + 1, createdAt: now() }
        return (await record({ pull })).pull
      }),
    close: () => oneAtATime(() => journal.close()),
  }
}

async function openJournal(path: string) {
  await mkdir(join(path, '..'), { recursive: true })
  const text = await readFile(path).catch((error) => {
    if (errorCode(error) !== 'ENOENT') throw error
    return Buffer.alloc(0)
  })
  const handle = await open(path, 'a', 0o644)
  // A crash while writing leaves half a line, which nobody was told about.
  let size = text.lastIndexOf('\n') + 1
  await handle.truncate(size)
  await syncDirectory(join(path, '..'))
  const lines = text.subarray(0, size).toString().split('\n').filter(Boolean)
  return {
    entries: lines.map((line, index) => {
      const entry = Entry.safeParse(parseJson(line))
      if (!entry.success) throw new EmbeddedError(`${path} is damaged in line ${index + 1}`)
      return entry.data
    }),
    async append(entry: z.infer<typeof Entry>) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`)
      try {
        await handle.appendFile(line)
        await handle.sync()
      } catch (error) {
        await handle.truncate(size) // a full disk must not leave half a line between whole ones
        throw error
      }
      size += line.length
    },
    close: () => handle.close(),
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`
}
