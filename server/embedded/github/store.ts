import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { readBytesIfPresent, syncDirectory } from '../durable-files.ts'
import { EmbeddedError } from '../reporting.ts'

const Protection = z.object({
  enforceAdmins: z.boolean(),
  /** Number of approvals that a pull request needs; `null`: changes need no pull request. */
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
  /** Text of README.md; `null`: a repository without a commit. Absent in journals of earlier versions. */
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
/** The fields of a repository that can change. */
export type Settings = Pick<StoredRepository, 'topics' | 'readme' | 'protection'>
/** A pull request; `repository` is the repository's name. */
export type StoredPull = z.infer<typeof Pull>

/** Repositories and pull requests. Names are compared without regard to letter case. */
export interface Store {
  repositories(): StoredRepository[]
  repository(name: string): StoredRepository | undefined
  pulls(repository: string): StoredPull[]
  pull(repository: string, number: number): StoredPull | undefined
  /** `undefined` if that name is taken. Resolves when the repository is on disk. */
  addRepository(fields: Omit<StoredRepository, 'id' | 'createdAt'>): Promise<StoredRepository | undefined>
  /**
   * Applies the change that `decide` derives from the current state. Changes run one after the other; if `decide` throws,
   * nothing changes. Resolves when the change is on disk.
   */
  changeRepository(
    name: string,
    decide: (repository: StoredRepository) => Partial<Settings>,
  ): Promise<StoredRepository>
  /** `undefined` if there is one from `head` into `base` already. Resolves when the pull request is on disk. */
  addPull(fields: Omit<StoredPull, 'id' | 'number' | 'createdAt'>): Promise<StoredPull | undefined>
  close(): Promise<void>
}

/** Opens the journal in `directory`. Each change is one JSON line, which is on disk before the change takes effect. */
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
        // Appends the whole repository; the last line about it in the journal is valid.
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
  await mkdir(dirname(path), { recursive: true })
  const text = (await readBytesIfPresent(path)) ?? Buffer.alloc(0)
  const handle = await open(path, 'a', 0o644)
  // A crash while writing leaves half a line. Its change was never confirmed, so it is dropped.
  let size = text.lastIndexOf('\n') + 1
  await handle.truncate(size)
  await syncDirectory(dirname(path))
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
        await handle.truncate(size) // a full disk must not leave half a line between complete ones
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
