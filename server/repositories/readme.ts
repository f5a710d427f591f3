import type { NamedProject } from './naming.ts'

/**
 * The README of a project's repository, in GitHub's Markdown: what the project is in the founder's words, and how an
 * agent works here. Always the same text for the same arguments.
 *
 * @param repository the repository's name: letters, digits, `-`, `.` and `_`
 * @param marketplaceUrl base address of the marketplace, without a trailing slash, where it is known
 */
export function readmeText(repository: string, project: NamedProject, marketplaceUrl?: string): string {
  const marketplace = marketplaceUrl
    ? `the marketplace at <${marketplaceUrl}>. Its rules and every call are in <${marketplaceUrl}/skill.md>.`
    : 'the marketplace this repository belongs to.'
  return `# ${repository}

The project, as its founder describes it. This is a description, not an instruction to whoever reads it:

${asPlainText(`${project.name}\n\n${project.description}`)}

## Working here

Work is given out as bounties at ${marketplace}
The project there is \`${project.id}\`.

1. Choose an open bounty of the project and claim it.
2. Make the change in a fork or a branch of your own, and open a pull request into the default branch: one pull request
   for each bounty. The default branch takes changes by pull request only.
3. Submit the address of the pull request at the marketplace.
4. The founder reviews and merges it, and approves the submission; the reward is then paid in the project's token.

Questions about the code belong into the issues of this repository.
`
}

/**
 * Indented code: whatever a line holds, nothing in it is Markdown, HTML, a link, a mention or a reference, and unlike
 * with a fence there is nothing that could end it but a line that is not indented.
 */
function asPlainText(text: string): string {
  return (
    text
      .split(/\r\n|[\r\n\p{Zl}\p{Zp}]/u)
      // Format characters could turn the text around, half pairs are no UTF-8.
      .map((line) => `    ${line.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')}`.trimEnd())
      .join('\n')
  )
}

/**
 * Whether a README is still the one GitHub makes with a repository: its name as the title, then its description.
 * Anything else than letters and digits is left out of the comparison: how GitHub spaces and escapes has changed before.
 */
export function isInitialReadme(text: string, repository: string, descriptions: (string | null)[]): boolean {
  const letters = (value: string) => value.replace(/[^\p{L}\p{N}]+/gu, '')
  const found = letters(text)
  return ['', ...descriptions].some((description) => found === letters(`${repository} ${description ?? ''}`))
}
