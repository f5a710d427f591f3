import { createHash } from 'node:crypto'
import { type Addresses, nodeId } from './bodies.ts'
import type { StoredRepository } from './store.ts'

/** The only file of a repository in the stand-in. */
export const readmePath = 'README.md'

/** The README.md that GitHub writes when it initializes a repository. */
export function initialReadme({ name, description }: Pick<StoredRepository, 'name' | 'description'>): string {
  return description === null ? `# ${name}\n` : `# ${name}\n${description}\n`
}

/** Text of README.md; `null` if there is none. */
export function readmeOf(repository: StoredRepository): string | null {
  return repository.readme === undefined ? initialReadme(repository) : repository.readme
}

/** The hash by which git names a file's content. */
export function blobSha(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
}

/** README.md by itself (`content-file`). */
export function contentFile(addresses: Addresses, repository: StoredRepository, text: string) {
  return {
    ...fileEntry(addresses, repository, text),
    // GitHub breaks lines after 60 characters.
    content: `${Buffer.from(text)
      .toString('base64')
      .replace(/.{60}(?=.)/g, '$&\n')}\n`,
    encoding: 'base64',
  }
}

/** The commit of a change to README.md (`file-commit`). */
export function fileCommit(
  addresses: Addresses,
  repository: StoredRepository,
  change: { text: string; parent: string | null; message: string; date: string },
) {
  const { text, parent, message, date } = change
  const { organization, apiUrl, webUrl } = addresses
  const git = `${apiUrl}/repos/${organization}/${repository.name}/git`
  const html = `${webUrl}/${organization}/${repository.name}/commit`
  const tree = digest(`tree ${blobSha(text)}`)
  const by = { name: organization, email: `${organization}@users.noreply.github.com`, date }
  const sha = digest(`commit ${tree} ${parent} ${message} ${date}`)
  return {
    content: fileEntry(addresses, repository, text),
    commit: {
      sha,
      node_id: nodeId('Commit', repository.id),
      url: `${git}/commits/${sha}`,
      html_url: `${html}/${sha}`,
      author: by,
      committer: by,
      message,
      tree: { sha: tree, url: `${git}/trees/${tree}` },
      parents:
        parent === null
          ? []
          : [{ sha: parent, url: `${git}/commits/${parent}`, html_url: `${html}/${parent}` }],
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
  }
}

function fileEntry({ apiUrl, webUrl, organization }: Addresses, { name }: StoredRepository, text: string) {
  const sha = blobSha(text)
  const repository = `${apiUrl}/repos/${organization}/${name}`
  const url = `${repository}/contents/${readmePath}?ref=main`
  const git_url = `${repository}/git/blobs/${sha}`
  const html_url = `${webUrl}/${organization}/${name}/blob/main/${readmePath}`
  return {
    name: readmePath,
    path: readmePath,
    sha,
    size: Buffer.byteLength(text),
    url,
    html_url,
    git_url,
    download_url: `${webUrl}/${organization}/${name}/raw/main/${readmePath}`,
    type: 'file',
    _links: { self: url, git: git_url, html: html_url },
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
