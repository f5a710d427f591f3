import { z } from 'zod'

const Repository = z.object({
  id: z.number(),
  /** One of an agent's own has the owner before it, `agent/name`; the others are the organization's. */
  name: z.string(),
  /** Whether its owner lets the service read it as an App. */
  installed: z.boolean().default(false),
  description: z.string().nullable(),
  private: z.boolean(),
  /** Text of README.md; `null`: a repository without a commit. */
  readme: z.string().nullable(),
  /** Other files by path. With git, a repository's files are in git from its first use on. */
  files: z.record(z.string(), z.string()).default({}),
  /** Protection of `main`, as a response has it. */
  protection: z.record(z.string(), z.unknown()).nullable().default(null),
  /** Logins that may create check runs and statuses. */
  collaborators: z.array(z.string()).default([]),
  createdAt: z.string(),
})
const State = z.enum(['open', 'closed'])
/** Its squash commit, stored before `main` moves: it is merged once `main` contains the commit. */
const Merge = z
  .object({ sha: z.string(), baseSha: z.string(), headSha: z.string(), by: z.string().optional() })
  .nullable()
const Pull = z.object({
  id: z.number(),
  /** The repository's name. */
  repository: z.string(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullable(),
  head: z.string(),
  base: z.string(),
  draft: z.boolean(),
  /** Login of the account that opened it; absent: the account that `head` names. */
  author: z.string().optional(),
  state: State.default('open'),
  merge: Merge.default(null),
  mergedAt: z.string().nullable().default(null),
  closedAt: z.string().nullable().default(null),
  createdAt: z.string(),
  updatedAt: z.string().optional(),
  /** The newest event that is more than an edit; its id counts them. */
  lastEvent: z.object({ id: z.number(), event: z.string() }).optional(),
})
/** What changes of a pull request. Its fields have no defaults: one that is absent stays as it is. */
const Change = Pull.pick({ repository: true, number: true, updatedAt: true, lastEvent: true }).extend({
  ...Pull.pick({ title: true, body: true, draft: true }).partial().shape,
  state: State.optional(),
  merge: Merge.optional(),
  mergedAt: z.string().nullable().optional(),
  closedAt: z.string().nullable().optional(),
})
const Check = z.object({
  id: z.number(),
  repositoryId: z.number(),
  sha: z.string(),
  name: z.string(),
  status: z.enum(['queued', 'in_progress', 'completed']),
  conclusion: z
    .enum(['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required'])
    .nullable(),
  detailsUrl: z.string().nullable(),
  output: z.object({
    title: z.string().nullable(),
    summary: z.string().nullable(),
    text: z.string().nullable(),
  }),
  /** Login of the account that wrote it last. */
  creator: z.string(),
})
const Status = z.object({
  id: z.number(),
  repositoryId: z.number(),
  sha: z.string(),
  state: z.enum(['error', 'failure', 'pending', 'success']),
  context: z.string(),
  description: z.string().nullable(),
  targetUrl: z.string().nullable(),
  /** Login of the account that posted it. */
  creator: z.string(),
  createdAt: z.string(),
})

/** A line of the journal: the whole object as it is from then on, or what changes of a pull request, whose texts are long. */
export const Entry = z.union([
  z.object({ repository: Repository }),
  z.object({ pull: Pull }),
  z.object({ change: Change }),
  z.object({ check: Check }),
  z.object({ status: Status }),
  z.object({ account: z.string() }),
])

export type Entry = z.infer<typeof Entry>
export type StoredRepository = z.infer<typeof Repository>
/** The fields of a repository that can change. */
export type Settings = Pick<
  StoredRepository,
  'readme' | 'files' | 'protection' | 'collaborators' | 'installed'
>
export type StoredPull = z.infer<typeof Pull>
/** The fields of a pull request that can change. */
export type PullChange = Partial<
  Pick<StoredPull, 'title' | 'body' | 'state' | 'draft' | 'merge' | 'mergedAt' | 'closedAt' | 'lastEvent'>
>
export type StoredCheck = z.infer<typeof Check>
export type StoredStatus = z.infer<typeof Status>
export const CheckFields = Check.pick({ name: true, status: true, conclusion: true })
export const StatusFields = Status.pick({ state: true })

/** The agent that owns a repository; undefined for those of the organization. */
export const ownerOf = ({ name }: Pick<StoredRepository, 'name'>): string | undefined =>
  name.includes('/') ? name.slice(0, name.indexOf('/')) : undefined

/** The file that a repository starts with. */
export const readmePath = 'README.md'

/** The README.md that GitHub writes when it initializes a repository. */
export function initialReadme({ name, description }: Pick<StoredRepository, 'name' | 'description'>): string {
  return description === null ? `# ${name}\n` : `# ${name}\n${description}\n`
}
