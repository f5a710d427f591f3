import { createHash } from 'node:crypto'
import { type Addresses, nodeId } from './bodies.ts'
import type { StoredRepository } from './entries.ts'
import type { Signature } from './git/bare-repository.ts'
import { now } from './store.ts'

/** The hash by which git names a file's content. */
export function blobSha(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** A file by itself (`content-file`). */
export function contentFile(
  addresses: Addresses,
  repository: StoredRepository,
  file: { path: string; content: Buffer },
) {
  return {
    ...fileEntry(addresses, repository, file),
    // GitHub breaks lines after 60 characters.
    content: `${file.content.toString('base64').replace(/.{60}(?=.)/g, '$&\n')}\n`,
    encoding: 'base64',
  }
}

/** The commit of a change to a file (`file-commit`). Without `commit` its hashes are made up. */
export function fileCommit(
  addresses: Addresses,
  repository: StoredRepository,
  change: {
    path: string
    content: Buffer
    message: string
    by: Signature
    previous: string | null
    commit: { sha: string; tree: string; parents: string[] } | undefined
  },
) {
  const { content, message, by, previous } = change
  const { organization, apiUrl, webUrl } = addresses
  const git = `${apiUrl}/repos/${organization}/${repository.name}/git`
  const html = `${webUrl}/${organization}/${repository.name}/commit`
  const madeUp = {
    tree: digest(`tree ${blobSha(content)}`),
    sha: digest(`commit ${blobSha(content)} ${previous} ${message} ${by.date}`),
    parents: previous === null ? [] : [previous],
  }
  const { sha, tree, parents } = change.commit ?? madeUp
  return {
    content: fileEntry(addresses, repository, change),
    commit: {
      sha,
      node_id: nodeId('Commit', repository.id),
      url: `${git}/commits/${sha}`,
      html_url: `${html}/${sha}`,
      author: by,
      committer: by,
      message,
      tree: { sha: tree, url: `${git}/trees/${tree}` },
      parents: parents.map((parent) => ({
        sha: parent,
        url: `${git}/commits/${parent}`,
        html_url: `${html}/${parent}`,
      })),
      verification: unsigned,
    },
  }
}

/** What GitHub says about the signature of a commit that has none. */
export const unsigned = {
  verified: false,
  reason: 'unsigned',
  signature: null,
  payload: null,
  verified_at: null,
}

function fileEntry(
  { apiUrl, webUrl, organization }: Addresses,
  { name }: StoredRepository,
  { path, content }: { path: string; content: Buffer },
) {
  const sha = blobSha(content)
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  const repository = `${apiUrl}/repos/${organization}/${name}`
  const url = `${repository}/contents/${escaped}?ref=main`
  const git_url = `${repository}/git/blobs/${sha}`
  const html_url = `${webUrl}/${organization}/${name}/blob/main/${escaped}`
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    size: content.length,
    url,
    html_url,
    git_url,
    download_url: `${webUrl}/${organization}/${name}/raw/main/${escaped}`,
    type: 'file',
    _links: { self: url, git: git_url, html: html_url },
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/** What commits made here say about their author. */
export function signatureOf({ organization }: Addresses, login = organization): Signature {
  return { name: login, email: `${login}@users.noreply.github.com`, date: now() }
}
