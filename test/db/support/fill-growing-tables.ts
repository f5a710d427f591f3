import { fillSearchTables } from '../../support/fill-search-tables.ts'

/** Rows of every table that grows, so many that a plan which reads one of them from end to end shows. */
export const fillGrowingTables = `
insert into agents (id, name, key_id, key_hash) select 'agent_' || g, 'A', 'k' || g, '$argon2id$x' from generate_series(1, 5000) g;
insert into projects (id, name, description, founder_id, token_symbol, token_supply)
  select 'proj_' || g, 'Project ' || g, repeat('work and more ', 80), 'agent_' || g, 'T', 1000 from generate_series(1, 3000) g;
update projects set status = 'active', founder_wallet = '0x1', repo_url = 'https://example.org/', token_address = '0x' || lpad(substr(id, 6), 40, 'a'),
  curve_address = '0x' || lpad(to_hex(substr(id, 6)::int), 40, '0') where substr(id, 6)::int > 2000;
insert into trades (chain_id, block_number, log_index, block_hash, block_time, tx_hash, curve, side, trader, recipient, amount,
                    eth, fee, sold, price)
  select 1, g, 1, '', now(), '', '0x' || lpad(to_hex(2001 + g % 300), 40, '0'), 'buy', '', '', 1, 1, 0, 1, 1
  from generate_series(1, 20000) g;
insert into bounties (id, project_id, title, description, reward_amount, difficulty, tags, status, claimed_by, claimed_at)
  select 'bnt_' || g, 'proj_' || 1 + g % 3000, 'Task ' || g, case g % 5000 when 7 then 'parser' else '' end || repeat('work and more ', 80), 10 + g % 100,
    (array['easy', 'medium', 'hard', 'extreme'])[1 + g % 4],
    case when g % 5 = 0 then array['common'] when g % 2000 = 9 then array['rare', 'more'] else '{}' end, case g % 3 when 0 then 'open' else 'done' end,
    case g % 3 when 0 then null else 'agent_' || 1 + g % 5000 end, case g % 3 when 0 then null else now() end
  from generate_series(1, 20000) g;
insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at, claim_expires_at, extensions_left, listed_at)
  select 'bnt_claimed_' || g, 'proj_' || 1 + g % 3000, 'Task ' || g, 'Work', 10, 'easy', 'claimed', 'agent_' || 1 + g % 5000, now(),
    now() + make_interval(hours => g - 3), 2, now()
  from generate_series(1, 5000) g;
set session_replication_role = replica;
insert into deposits (bounty_id, agent_id, project_id, payout_id, chain_id, platform_wallet, amount, status, relay_id, locked_until, fund_tx)
  select 'bnt_' || g, 'agent_1', 'proj_1', '0x' || md5(g::text) || md5(g::text), 1, '0x' || repeat('a', 40), g % 500 * 100000 + 1, 'locked',
    'relay_' || g, now() + make_interval(days => g % 180), '0x' || repeat('a', 64)
  from generate_series(1, 20000) g where g % 3 = 0;
set session_replication_role = origin;
insert into submissions (id, bounty_id, project_id, agent_id, pr_url, status, reviewed_at, review_due_at)
  select 'sub_' || g, 'bnt_' || g, 'proj_' || 1 + g % 3000, 'agent_' || 1 + g % 5000, 'https://example.org/pull/' || g, 'approved', now(), now()
  from generate_series(1, 20000) g where g % 3 > 0;
insert into pull_requests (url, project_id, number, state, draft, merged, head_ref, head_sha, base_ref, into_default, changed_at,
    additions, deletions, changed_files, due_at)
  select 'https://example.org/pull/' || g, 'proj_' || 1 + g % 3000, g, 'open', false, false, 'work', repeat('a', 40), 'main', true, now(), 1, 0, 1,
    now() + make_interval(hours => g - 3) from generate_series(1, 20000) g;
insert into ended_claims (bounty_id, agent_id, claimed_at, ending)
  select 'bnt_' || g, 'agent_' || 1 + g % 5000, now(), 'lapsed' from generate_series(1, 20000) g;
insert into payouts (submission_id, payout_id, chain_id, platform_wallet, token, from_address, to_address, amount, fee, status, tx_hash,
    settled_at, agent_id, project_id)
  select id, '0x' || md5(id) || md5(id), 1, '0x1', '0x2', '0x3', '0x4', 9, 1, 'settled', '0x5', now(), agent_id, project_id from submissions;
insert into activity (id, type, agent_id, project_id, bounty_id)
  select 'act_' || g, 'bounty.created', 'agent_' || 1 + g % 3000, 'proj_' || 1 + g % 3000, 'bnt_' || g
  from generate_series(1, 20000) g;
insert into activity (id, type, visibility, agent_id, project_id)
  select 'act_private_' || g, 'withdrawal.requested', 'private', 'agent_7', 'proj_7' from generate_series(1, 20000) g;
insert into activity (id, type, agent_id, project_id, bounty_id, data)
  select 'act_comment_' || g, 'comment.created', 'agent_' || 1 + g % 5000, 'proj_' || 1 + g % 3000, 'bnt_' || g,
    jsonb_build_object('role', 'other', 'comment_id', 'cmt_' || g)
  from generate_series(1, 20000) g;
insert into comments (id, event_id, project_id, bounty_id, agent_id, role, text, unanswered)
  select 'cmt_' || g, 'act_comment_' || g, 'proj_' || 1 + g % 3000, 'bnt_' || g, 'agent_' || 1 + g % 5000, 'other', 'Why?', g % 10 = 0
  from generate_series(1, 20000) g;
insert into replaced_keys (key_id, agent_id, key_hash, ends_at)
  select 'old' || g, 'agent_' || 1 + g % 5000, '$argon2id$x', now() from generate_series(1, 10000) g;
insert into idempotency_keys (scope, key_digest, operation, request_digest, resume)
  select 'agent_' || 1 + g % 5000, decode(md5(g::text), 'hex'), 'bounties.claim', '', '{}' from generate_series(1, 10000) g;
${fillSearchTables}`
