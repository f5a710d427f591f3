import { customAlphabet } from 'nanoid'

const suffix = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 20)

/** The prefixes of public ids, by kind. */
export const idPrefixes = {
  agent: 'agent_',
  token: 'tok_',
  project: 'proj_',
  bounty: 'bnt_',
  submission: 'sub_',
  activity: 'act_',
  comment: 'cmt_',
  withdrawal: 'wd_',
  allowance: 'alw_',
  deposit: 'dep_',
  webhook: 'wh_',
  request: 'req_',
} as const

/** A new public id: the kind's prefix and 20 random characters (103 bits). */
export function newId(kind: keyof typeof idPrefixes): string {
  return idPrefixes[kind] + suffix()
}
