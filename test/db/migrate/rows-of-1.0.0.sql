-- A row of every table, in the columns of 1.0.0. Tables that the migrations fill are left out.
insert into agents (id, name, wallet_address, wallet_type, key_id, key_hash) values
  ('agent_founder', 'Ada', '0x' || repeat('A1', 20), 'vendor_inapp', 'key_founder', '$argon2id$founder'),
  ('agent_worker', 'Bob', '0x' || repeat('b2', 20), 'external', 'key_worker', '$argon2id$worker');
insert into replaced_keys (key_id, agent_id, key_hash, ends_at)
  values ('key_old', 'agent_founder', '$argon2id$old', now() + interval '1 day');
insert into access_tokens (id, agent_id, scope, label, digest, expires_at)
  values ('tok_1', 'agent_founder', 'work', 'laptop', 'digest', now() + interval '1 day');
insert into service_keys values ('cursor', '\x01');
insert into managed_wallets (agent_id, address, sealed_key, key_version)
  values ('agent_founder', '0x' || repeat('A1', 20), '\x02', 1);
insert into idempotency_keys (scope, key_digest, operation, request_digest, response_status, response_body)
  values ('agent_worker', '\x03', 'bounties.claim', '\x04', 200, '\x05');
insert into rate_limits values ('agent_worker', 7, 1800000000000);

insert into lanes (chain_id, address, next_nonce) values (31337, '0x' || repeat('0c', 20), 2);
insert into transactions (chain_id, purpose, entity_id, from_address, nonce, to_address, data, gas_limit, status, mined_hash,
    block_number, block_hash, is_final) values
  (31337, 'deploy', 'proj_1', '0x' || repeat('0c', 20), 0, '0x' || repeat('0d', 20), '\x06', 300000, 'confirmed', '0x1', 7, '0x7', true),
  (31337, 'payout', 'sub_1', '0x' || repeat('0c', 20), 1, '0x' || repeat('0d', 20), '\x07', 100000, 'confirmed', '0x2', 8, '0x8', false);
insert into transaction_attempts (hash, transaction_id, raw, max_fee_per_gas, max_priority_fee_per_gas, head_block, sends)
  select '0x' || repeat('0' || id, 32), id, '\x08', 2000000000, 1000000000, 6, 1 from transactions;
insert into followers (chain_id, wallets, block_number, block_hash, head_block)
  values (31337, array['0x' || repeat('0d', 20)], 7, '0x7', 8);
insert into payments values ('0x' || repeat('0d', 20), '0x' || repeat('9a', 32), '0x' || repeat('0e', 20),
  '0x' || repeat('a1', 20), '0x' || repeat('b2', 20), 95e18, 5e18, 31337, 8, 0, '0x8', now(), '0x2');
insert into trades values ('0x' || repeat('0f', 20), 'buy', '0x' || repeat('b2', 20), '0x' || repeat('b2', 20), 1e18, 2e12, 1e10,
  1e18, 2e12, 31337, 8, 1, '0x8', now(), '0x3');

insert into projects (id, name, description, status, founder_id, token_symbol, token_supply, founder_wallet, repo_url,
    token_address, curve_address, repository_id) values
  ('proj_1', 'Active', 'A project', 'active', 'agent_founder', 'ACT', 1000000, '0x' || repeat('A1', 20),
    'https://host.example/acme/one', '0x' || repeat('0E', 20), '0x' || repeat('0F', 20), 11),
  ('proj_2', 'Proposed', 'A plan', 'proposed', 'agent_founder', 'PRO', 1000, null, null, null, null, null);
insert into activations (project_id, status, founder_wallet, repo_url, deployer, token_address, curve_address, transaction_id,
    followed_curve, repository_id)
  select id, 'done', founder_wallet, repo_url, '0x' || repeat('0c', 20), token_address, curve_address, 1, curve_address, repository_id
    from projects where status = 'active';
insert into project_maintainers (project_id, account_id, login) values ('proj_1', 12, 'octocat');

insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at,
    claim_expires_at, extensions_left) values
  ('bnt_1', 'proj_1', 'Done', 'Paid work', 100, 'easy', 'done', 'agent_worker', now(), null, null),
  ('bnt_2', 'proj_1', 'Claimed', 'Work under way', 20, 'hard', 'claimed', 'agent_worker', now(), now() + interval '7 days', 2),
  ('bnt_3', 'proj_1', 'Open', 'Work to do', 3, 'medium', 'open', null, null, null, null);
insert into bounty_revisions (bounty_id, revision, title, description, difficulty, reward_amount, tags, created_at) select id, 1, title, description, difficulty, reward_amount, '{math}', created_at from bounties where id = 'bnt_1';
insert into bounty_texts select id, created_at, lower(title), lower(description) from bounties;
insert into ended_claims (bounty_id, agent_id, claimed_at, ending) values ('bnt_3', 'agent_worker', now(), 'released');
insert into seen_pulls (bounty_id, agent_id, number) values ('bnt_1', 'agent_worker', 1);
insert into seen_heads (project_id, agent_id, head_sha) values ('proj_1', 'agent_worker', repeat('1', 40));
insert into submissions (id, bounty_id, agent_id, pr_url, status, review_notes, reviewed_at, project_id, review_due_at, head_sha,
    is_attributed)
  values ('sub_1', 'bnt_1', 'agent_worker', 'https://host.example/acme/one/pull/1', 'approved', 'Good.', now(), 'proj_1',
    now() + interval '7 days', repeat('1', 40), true);
insert into pull_requests (url, project_id, number, state, draft, merged, head_ref, head_sha, base_ref, into_default, changed_at,
    author_id, author_login, additions, deletions, changed_files)
  values ('https://host.example/acme/one/pull/1', 'proj_1', 1, 'open', false, false, 'agent_worker/bnt_1', repeat('1', 40), 'main', true, now(),
    13, 'bob', 5, 2, 1);
insert into github_deliveries (id, event, action, repository_id) values ('delivery_1', 'pull_request', 'opened', 11);
insert into reported_pulls (repository_id, number, is_open, merged, changed_at) values (11, 1, true, false, now());

insert into payouts (submission_id, payout_id, chain_id, platform_wallet, token, from_address, to_address, amount, fee, status,
    transaction_id, tx_hash, settled_at, head_sha)
  values ('sub_1', '0x' || repeat('9a', 32), 31337, '0x' || repeat('0D', 20), '0x' || repeat('0E', 20), '0x' || repeat('A1', 20),
    '0x' || repeat('b2', 20), 95e18, 5e18, 'settled', 2, '0x2', now(), repeat('1', 40));
insert into relays (id, kind, agent_id, project_id, chain_id, token, wallet, amount, recipient, nonce, request_digest, head_block,
    valid_before, gas_reserved_wei)
  values ('wdr_1', 'withdrawal', 'agent_founder', 'proj_1', 31337, '0x' || repeat('0e', 20), '0x' || repeat('a1', 20), 1e18,
    '0x' || repeat('B2', 20), '0x' || repeat('9b', 32), '\x09', 8, 1800000000, 1e15);
insert into relays (id, kind, agent_id, project_id, chain_id, token, wallet, amount, recipient, nonce, head_block, valid_before,
    gas_reserved_wei)
  values ('dep_1', 'deposit', 'agent_founder', 'proj_1', 31337, '0x' || repeat('0f', 20), '0x' || repeat('a1', 20), 5e6,
    '0x' || repeat('0d', 20), '0x' || repeat('9c', 32), 8, 1800000000, 1e15);
insert into deposits (bounty_id, agent_id, project_id, payout_id, chain_id, platform_wallet, amount, relay_id)
  values ('bnt_3', 'agent_founder', 'proj_1', '0x' || repeat('9d', 32), 31337, '0x' || repeat('0d', 20), 5e6, 'dep_1');

insert into activity (id, type, agent_id, project_id, bounty_id, submission_id, data, visibility, position) values
  ('act_1', 'submission.approved', 'agent_worker', 'proj_1', 'bnt_1', 'sub_1', '{"net": "95"}', 'public', 1),
  ('act_2', 'webhook.tested', 'agent_worker', null, null, null, '{}', 'private', null),
  ('act_3', 'comment.created', 'agent_worker', 'proj_1', 'bnt_3', null, '{"role": "other", "comment_id": "cmt_1"}', 'public', 2);
insert into comments (id, event_id, project_id, bounty_id, agent_id, role, text, unanswered)
  values ('cmt_1', 'act_3', 'proj_1', 'bnt_3', 'agent_worker', 'other', 'Why?', true);
insert into webhooks (id, agent_id, url, event_types, sealed_secrets, key_version)
  values ('whk_1', 'agent_worker', 'https://agent.example/', '{submission.approved}', '\x0a', 1);
insert into webhook_deliveries (webhook_id, event_id, position) values ('whk_1', 'act_1', 1);
