import { createHash } from 'node:crypto'
import type { StoredRepository } from './entries.ts'

/** The addresses from which all links in responses are built. */
export interface Addresses {
  apiUrl: string
  webUrl: string
  organization: string
}

/** An account as GitHub describes it (`simple-user`). */
export function account({ apiUrl, webUrl, organization }: Addresses, login: string) {
  const type = login === organization ? 'Organization' : 'User'
  const url = `${apiUrl}/users/${login}`
  const id = Number.parseInt(hash(login.toLowerCase()).slice(0, 8), 16)
  return {
    login,
    id,
    node_id: nodeId(type, id),
    avatar_url: `${webUrl}/${login}.png`,
    gravatar_id: '',
    url,
    html_url: `${webUrl}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: false,
  }
}

/** An organization by itself (`organization-full`). */
export function fullOrganization(addresses: Addresses, publicRepositories: number) {
  const { apiUrl, webUrl, organization } = addresses
  const url = `${apiUrl}/orgs/${organization}`
  const { login, id, node_id, avatar_url } = account(addresses, organization)
  return {
    login,
    id,
    node_id,
    url,
    html_url: `${webUrl}/${organization}`,
    avatar_url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    description: null,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: publicRepositories,
    public_gists: 0,
    followers: 0,
    following: 0,
    type: 'Organization',
    created_at: since,
    updated_at: since,
    archived_at: null,
  }
}

/** An agent's account by itself (`public-user`). */
export function publicUser(addresses: Addresses, login: string) {
  const unknown = {
    name: null,
    company: null,
    blog: null,
    location: null,
    email: null,
    hireable: null,
    bio: null,
  }
  const none = { public_repos: 0, public_gists: 0, followers: 0, following: 0 }
  return { ...account(addresses, login), ...unknown, ...none, created_at: since, updated_at: since }
}

/** Creation time of the stand-in's organization: before anything in it. */
const since = '2008-01-01T00:00:00Z'

/** A repository as pull requests embed it (`repository`). */
export function repositoryBody(addresses: Addresses, repository: StoredRepository) {
  const { organization, webUrl } = addresses
  const html = `${webUrl}/${organization}/${repository.name}`
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: `${organization}/${repository.name}`,
    owner: account(addresses, organization),
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    html_url: html,
    description: repository.description,
    homepage: repository.homepage,
    fork: false,
    ...repositoryLinks(addresses, repository),
    clone_url: `${html}.git`,
    svn_url: html,
    git_url: `git://${new URL(webUrl).host}/${organization}/${repository.name}.git`,
    ssh_url: `git@${new URL(webUrl).hostname}:${organization}/${repository.name}.git`,
    mirror_url: null,
    created_at: repository.createdAt,
    updated_at: repository.createdAt,
    pushed_at: repository.createdAt,
    size: 0,
    language: null,
    default_branch: 'main',
    is_template: false,
    topics: repository.topics,
    has_issues: repository.hasIssues,
    has_projects: repository.hasProjects,
    has_wiki: repository.hasWiki,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    license: null,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: 0,
    open_issues_count: 0,
    allow_forking: true,
  }
}

/** Collections below a repository's address, each with a `…_url`. */
const collections =
  `assignees{/user} branches{/branch} collaborators{/collaborator} comments{/number} commits{/sha}
  contents/{+path} contributors deployments downloads events forks hooks issues{/number} languages merges
  milestones{/number} notifications{?since,all,participating} pulls{/number} releases{/id} stargazers
  statuses/{sha} subscribers subscription tags teams`.split(/\s+/)

function repositoryLinks({ apiUrl, organization }: Addresses, { name }: StoredRepository) {
  const url = `${apiUrl}/repos/${organization}/${name}`
  return {
    url,
    ...Object.fromEntries(
      collections.map((template) => [`${/^\w+/.exec(template)}_url`, `${url}/${template}`]),
    ),
    archive_url: `${url}/{archive_format}{/ref}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    trees_url: `${url}/git/trees{/sha}`,
  }
}

/** A repository by itself (`full-repository`). */
export function fullRepository(addresses: Addresses, repository: StoredRepository) {
  return {
    ...repositoryBody(addresses, repository),
    organization: account(addresses, addresses.organization),
    network_count: 0,
    subscribers_count: 0,
  }
}

/** GitHub's id of an object for GraphQL. */
export function nodeId(type: string, id: number): string {
  return Buffer.from(`${type}${id}`).toString('base64')
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
