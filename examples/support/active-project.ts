import type { ActiveProject, Marketplace } from '@bounty-marketplace/sdk'

/** A new project of a founder with its repository and a million tokens. */
export async function activeProject(
  founder: Marketplace,
  words: { name: string; description: string; token_symbol: string },
): Promise<ActiveProject> {
  const { project } = await founder.projects.create({ ...words, token_supply: 1_000_000 })
  await founder.projects.activateAndWait(project.id)
  const { project: active } = await founder.projects.get(project.id)
  if (active.status !== 'active') throw new Error(`${active.id} is not active`)
  return active
}
