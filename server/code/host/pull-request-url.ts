/** A pull request; owner and repository in the letter case of the repository's own address. */
export interface PullRequestReference {
  owner: string
  repository: string
  number: number
  /** Canonical: `{repository address}/pull/{number}`. */
  url: string
}

const largestNumber = 2 ** 31 - 1

/**
 * Parses the address of a pull request of the given repository. Owner, repository and host are compared without regard
 * to letter case. A trailing slash, the pull request's tabs (`/files`, `/commits`, …), query and fragment are tolerated.
 * Sends no request.
 *
 * @returns `null` for any other text
 */
export function parsePullRequestUrl(repoUrl: string, prUrl: string): PullRequestReference | null {
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(prUrl)) return null // URL() would repair blanks and backslashes
  const repository = parse(repoUrl)
  const candidate = parse(prUrl)
  if (!repository || !candidate || candidate.host !== repository.host) return null
  if (candidate.username || candidate.password) return null

  const named = parseRepositoryUrl(repoUrl)
  if (!named) return null
  const base = repository.pathname.replace(/\/+$/, '')
  if (candidate.pathname.slice(0, base.length).toLowerCase() !== base.toLowerCase()) return null

  const tail = /^\/pull\/([1-9]\d{0,9})(?:\/(?:files|changes|commits|checks)(?:\/.*)?)?\/*$/
  const number = Number(tail.exec(candidate.pathname.slice(base.length))?.[1])
  if (!(number <= largestNumber)) return null
  return { ...named, number, url: `${repository.origin}${base}/pull/${number}` }
}

/**
 * Parses the address of a pull request of any repository at the host of the given one, which may be that one under another name.
 * Sends no request.
 *
 * @returns `null` for any other text
 */
export function parsePullRequestOfHost(repoUrl: string, prUrl: string): PullRequestReference | null {
  const hostUrl = repoUrl.replace(/\/+[^/]+\/+[^/]+\/*$/, '')
  const [named] = /\/[\w.-]+\/[\w.-]+(?=\/pull\/)/.exec(parse(prUrl)?.pathname ?? '') ?? []
  return named === undefined ? null : parsePullRequestUrl(hostUrl + named, prUrl)
}

/** Owner and name in the address of a repository; `null` for any other text. */
export function parseRepositoryUrl(repoUrl: string): { owner: string; repository: string } | null {
  const path = parse(repoUrl)?.pathname.replace(/\/+$/, '')
  const [, owner, repository] = /\/([^/]+)\/([^/]+)$/.exec(path ?? '') ?? []
  return owner === undefined || repository === undefined ? null : { owner, repository }
}

function parse(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}
