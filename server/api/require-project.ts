import type { Database } from '../db/client.ts'
import { ServiceError } from '../errors.ts'

const withId = (db: Database, id: string) => db.selectFrom('projects').where('id', '=', id).selectAll()

/** All that is stored of a project. */
export const findProject = (db: Database, id: string) => withId(db, id).executeTakeFirst()

/** The same. @throws ServiceError `project_not_found` */
export function requireProject(db: Database, id: string) {
  return withId(db, id).executeTakeFirstOrThrow(() => new ServiceError('project_not_found'))
}

/** A project that the agent has founded. @throws ServiceError `project_not_found`, `not_founder` */
export async function requireOwnProject(db: Database, id: string, agentId: string) {
  const project = await requireProject(db, id)
  if (project.founder_id !== agentId) throw new ServiceError('not_founder')
  return project
}
