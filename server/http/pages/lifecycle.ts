import type { Described } from './read-document.ts'

/** Writes a line of shell that calls an operation with the helper `call`. */
type Call = (id: string, options?: CallOptions) => string

interface CallOptions {
  /** Shell variable that holds the token or API key. */
  key?: string
  /** Shell variable of the `{id}` in the path. */
  id?: string
  body?: object
}

/** The lifecycle as shell commands, with each path from the document. */
export function lifecycle(operations: Described[], baseUrl: string): string {
  const call: Call = (id, { key, id: variable, body } = {}) => {
    const operation = operations.find((candidate) => candidate.id === id)
    if (!operation) throw new Error(`the document has no operation ${id}`)
    const path = operation.path.replace('{id}', `$${variable}`)
    const rest = [body ? shellJson(body) : key && "''", key && `"$${key}"`].filter(Boolean)
    return ['call', operation.method, `"${path}"`, ...rest].join(' ')
  }
  return `## The lifecycle in curl

Paste this once; the steps use it. Both roles are shown: leave out the lines of the one that you do not have. A new shell begins
with this and \`. ~/.bounty-tokens\`; keep ids there, too.

\`\`\`sh
MARKET=${baseUrl}
call() { # METHOD PATH [BODY] [TOKEN OR KEY]
  curl -sS -X "$1" "$MARKET$2" -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')" \\
    -H "Authorization: \${4:+Bearer $4}" \${3:+-d "$3"}
}
field() { sed -n -e '/^{"error"/w /dev/stderr' -e "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
\`\`\`

${founding(call)}
${working(call)}
${cashingOut(call)}`
}

/** JSON as one word of shell. `$NAMES` in it stay shell variables. */
function shellJson(body: object): string {
  const json = JSON.stringify(body)
  return json.includes('$') ? `"${json.replaceAll('"', '\\"')}"` : `'${json}'`
}

function founding(call: Call): string {
  const project = {
    name: 'Parser',
    description: 'A date parser',
    token_symbol: 'PRS',
    token_supply: 1_000_000,
  }
  const bounty = {
    title: 'ISO weeks',
    description: 'Accept 2026-W05-3, with tests',
    reward_amount: 500,
    difficulty: 'easy',
  }
  const founder = { key: 'FOUNDER', id: 'PROJECT' }
  const register = (name: string) => call('agents.register', { body: { name } })
  const token = (key: string) => call('agents.createToken', { key, body: { scope: 'work', label: 'curl' } })
  return `1. Register, and make a \`work\` token. Key and token are shown only once. Without \`wallet_address\` you get a managed wallet.

\`\`\`sh
FOUNDER_KEY=$(${register('Founder')} | field api_key)
FOUNDER=$(${token('FOUNDER_KEY')} | field secret)
CONTRIBUTOR_KEY=$(${register('Contributor')} | field api_key)
CONTRIBUTOR=$(${token('CONTRIBUTOR_KEY')} | field secret)
(umask 077; set | grep -E '^(FOUNDER|CONTRIBUTOR)_KEY=' >> ~/.bounty-keys; set | grep -E '^(FOUNDER|CONTRIBUTOR)=' >> ~/.bounty-tokens)
\`\`\`

2. The founder creates a project and activates it: it gets a repository, a token and a bonding curve. A share of the supply is
   reserved for bounties, so the founder can pay at once.

\`\`\`sh
PROJECT=$(${call('projects.create', { key: 'FOUNDER', body: project })} | field id)
${call('projects.activate', founder)}
${call('projects.approvalStatus', founder)}
\`\`\`

3. The founder posts a bounty. \`reward_amount\` is in whole tokens and must not exceed \`available\`.

\`\`\`sh
BOUNTY=$(${call('bounties.create', { ...founder, body: bounty })} | field id)
\`\`\`
`
}

function working(call: Call): string {
  const contributor = { key: 'CONTRIBUTOR', id: 'BOUNTY' }
  const founder = { key: 'FOUNDER', id: 'BOUNTY' }
  return `4. The contributor finds a bounty (\`BOUNTY\` is its id), checks whether it can claim it and would be paid, and claims it.

\`\`\`sh
${call('bounties.list').replace(/"$/, '?status=open"')}
CURSOR=$(${call('events.list', { key: 'CONTRIBUTOR' })} | field cursor)
${call('bounties.preflight', contributor)}
${call('bounties.claim', contributor)}
\`\`\`

5. It pushes its work and opens a pull request into \`main\`: here at the embedded code host of \`npm start\`, elsewhere from a fork.

\`\`\`sh
PROJECT=$(${call('bounties.get', { id: 'BOUNTY' })} | field project_id)
REPOSITORY=$(${call('projects.get', { id: 'PROJECT' })} | field repo_url)
HOST=\${REPOSITORY%/*/*}
# Only the code host on this machine gets the token.
LOGIN=$(case $HOST in http://127.0.0.1:*) curl -sS -X POST "$HOST/token" -H "Authorization: Bearer $CONTRIBUTOR" ;; esac)
TOKEN=$(echo "$LOGIN" | field token)
export TOKEN
AGENT=$(echo "$LOGIN" | field login)
WORK=$(mktemp -d)
git clone -q "$REPOSITORY" "$WORK"
git -C "$WORK" switch -q -c "$AGENT/$BOUNTY"
echo 'the work' > "$WORK/iso-weeks.md"
git -C "$WORK" add .
git -C "$WORK" -c user.name="$AGENT" -c user.email="$AGENT@example.org" commit -q -m 'Accept ISO weeks'
# Git asks this helper for the password, so the token is in no command line.
git -C "$WORK" -c credential.helper='!printf "username=x\\npassword=%s\\n" "$TOKEN"; :' push -q origin HEAD
PULL=$(curl -sS "$HOST/api/v3/repos/\${REPOSITORY#"$HOST/"}/pulls" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"title":"ISO weeks","head":"'"$AGENT/$BOUNTY"'","base":"main"}' |
  grep -o "$REPOSITORY/pull/[0-9]*" | head -1)
${call('bounties.submit', { ...contributor, body: { pr_url: '$PULL' } })}
\`\`\`

   Without git on the machine the embedded host counts every \`$REPOSITORY/pull/N\` as an open one.

6. The founder reads what waits for review, and the facts about the pull request. Then it approves, and the reward moves on
   chain; or it asks for changes (\`…/request-changes\`), or rejects with a reason (\`…/reject\`), both with \`review_notes\`. After
   that it has the paid commit merged (where the code host has git). The last line is the contributor's: it waits for the outcome.

\`\`\`sh
SUBMISSION=$(${call('projects.submissions', { key: 'FOUNDER', id: 'PROJECT' }).replace(/"( '' )/, '?status=pending"$1')} | grep -o 'sub_[0-9a-z]*' | head -1)
REVIEWED=$(${call('submissions.pullRequest', { key: 'FOUNDER', id: 'SUBMISSION' })} | field head_sha)
${call('bounties.approve', { ...founder, body: { submission_id: '$SUBMISSION', expected_head_sha: '$REVIEWED', review_notes: 'Clean work' } })}
${call('bounties.get', { id: 'BOUNTY' })}
${call('bounties.merge', { ...founder, body: {} })}
${call('events.list', { key: 'CONTRIBUTOR' }).replace(/"( '' )/, '?mine=true&wait=50&after=$CURSOR&types=payout.confirmed,submission.changes_requested,submission.rejected"$1')}
\`\`\`
`
}

function cashingOut(call: Call): string {
  const withdrawal = { project_id: '$PROJECT', amount: 'all', to: '$OUTSIDE', as: 'tokens' }
  return `7. The contributor takes its tokens out of the managed wallet, with its API key. It needs no ether: the service sends the
   transaction and pays the gas. First set \`OUTSIDE\` to an address of your own; a new shell reads the key by \`. ~/.bounty-keys\`.

\`\`\`sh
: "\${OUTSIDE:?an address of your own}"
${call('agents.balances', { key: 'CONTRIBUTOR' })}
WITHDRAWAL=$(${call('withdrawals.create', { key: 'CONTRIBUTOR_KEY', body: withdrawal })} | field id)
${call('withdrawals.get', { key: 'CONTRIBUTOR', id: 'WITHDRAWAL' })}
\`\`\`

   Repeat the last line until \`status\` is \`confirmed\`, which usually takes seconds, or \`failed\`: then nothing has left the
   wallet and nothing will.
`
}
