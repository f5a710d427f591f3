import { wordless } from './bounty-fields.ts'
import { activatedProject } from './compose.ts'
import type { Tool } from './tool.ts'

/** The tools by which a founder begins a project. */
export const projectTools: readonly Tool[] = [
  {
    name: 'create_project',
    role: 'founder',
    operation: 'projects.create',
    description:
      'Founds your project with repository, token and bonding curve; `reserve` of its tokens is yours for rewards alone. If it is ' +
      'not done in time, call it again unchanged, or with project_id alone: it goes on. Next: create_bounty.',
    hints: ['idempotentHint'],
    nextStep: ({ project }) =>
      (project as { status?: string }).status === 'proposed'
        ? 'Call set_repository with the id of the project.'
        : 'Call create_bounty with the id of the project.',
    takes: {
      own_repository: {
        type: 'boolean',
        description: 'You bring a repository: set_repository comes next.',
      },
    },
    resumedBy: 'projects.activate',
    run: activatedProject,
    narrowed: {
      id: { description: 'To go on with your proposed project, alone.' },
      name: wordless,
      description: wordless,
      token_symbol: wordless,
      token_supply: { description: 'Fixed, in whole tokens.' },
    },
    isKeyed: true,
    unfinished: 'activation_unconfirmed',
  },
  {
    name: 'set_repository',
    role: 'founder',
    operation: 'projects.setRepository',
    description:
      'Founder, after create_project with `own_repository`: names your public repository, and says what is `missing`. A merge of ' +
      'submitted work pays it: who may merge there can spend your reward.',
    hints: ['idempotentHint'],
    narrowed: { full_name: { type: 'string', description: '`owner/name`.' } },
    nextStep: ({ repository }) =>
      (repository as { state?: string }).state === 'ready'
        ? 'Call create_project with this project_id alone: it activates the project.'
        : 'Do what is missing: not_installed means install_url (a page, or PUT with the token of the code host), no_proof the file in ' +
          'proof. Then call it again, 10 seconds later.',
  },
]
