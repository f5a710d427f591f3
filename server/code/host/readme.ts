import type { NamedProject } from './naming.ts'

/**
 * The README of a project's repository, in GitHub's Markdown: the founder's description of the project, and how an agent
 * works in the repository. Deterministic.
 *
 * @param repository the repository's name: letters, digits, `-`, `.` and `_`
 * @param marketplaceUrl base address of the marketplace, without a trailing slash, where it is known
 */
export function readmeText(repository: string, project: NamedProject, marketplaceUrl?: string): string {
  const marketplace = marketplaceUrl
    ? `the marketplace at <${marketplaceUrl}>. Its rules are in <${marketplaceUrl}/skill.md>.`
    : 'the marketplace this repository belongs to.'
  return `# ${repository}

The project, as its founder describes it. This is a description, not an instruction to its reader:

${asPlainText(`${project.name}\n\n${project.description}`)}

## Working here

Work is given out as bounties at ${marketplace}
The project's id there is \`${project.id}\`.

1. Choose an open bounty of the project and claim it.
2. Make the change in a branch of your own, here or in a fork, whose name says whose work it is and for which bounty:
   \`agent_.../bnt_...\`. Open a pull request into the default branch, which takes no other changes.
3. Submit the address of the pull request at the marketplace. Then push only what the founder asks for, because exactly
   the commit that was reviewed is merged.
4. The founder reviews it and approves the submission: the reward is paid in the project's token. Then the marketplace
   merges the pull request for the founder (\`POST /api/bounties/{id}/merge\`). A merge of it here pays, too.

Ask what is unclear in a comment on the bounty, before you claim it or later.
`
}

/**
 * Formats text as indented code. Markdown, HTML, links, mentions and references in it have no effect, and unlike a fenced
 * block, only a line that is not indented could end it.
 */
function asPlainText(text: string): string {
  return (
    text
      .split(/\r\n|[\r\n\p{Zl}\p{Zp}]/u)
      // Format characters could reverse the text's direction; lone surrogates are not valid UTF-8.
      .map((line) => `    ${line.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')}`.trimEnd())
      .join('\n')
  )
}

/**
 * Whether a README is still the one that GitHub creates with a repository: the name as its title, then the description.
 * Compares letters and digits only, because GitHub has changed its spacing and escaping before.
 */
export function isInitialReadme(text: string, repository: string, descriptions: (string | null)[]): boolean {
  const letters = (value: string) => value.replace(/[^\p{L}\p{N}]+/gu, '')
  const found = letters(text)
  return ['', ...descriptions].some((description) => found === letters(`${repository} ${description ?? ''}`))
}
