-- The tables after all migrations, which have the functions. Generated: npm run generate

create extension pg_trgm;

create table access_tokens (
  id text not null,
  agent_id text not null,
  scope text not null,
  label text not null,
  digest text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint access_tokens_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint access_tokens_digest_key UNIQUE (digest),
  constraint access_tokens_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
  constraint access_tokens_pkey PRIMARY KEY (id),
  constraint access_tokens_scope_check CHECK ((scope = ANY (ARRAY['work'::text, 'read'::text])))
);
CREATE INDEX access_tokens_by_agent ON public.access_tokens USING btree (agent_id, created_at);
CREATE INDEX access_tokens_by_expiry ON public.access_tokens USING btree (expires_at);
comment on column access_tokens.digest is 'SHA-256 of the token, in base64';

create table activations (
  project_id text not null,
  status text not null default 'running'::text,
  founder_wallet text not null,
  round integer not null default 1,
  repo_url text,
  deployer text,
  token_address text,
  curve_address text,
  transaction_id bigint,
  error_code text,
  error text,
  lease_owner text,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  fence bigint not null default 0,
  served_by text,
  served_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  followed_curve text,
  repository_id bigint,
  started_at timestamp with time zone not null default clock_timestamp(),
  gas_reserved_wei numeric(78,0) not null default 0,
  constraint activations_check CHECK (((status <> 'done'::text) OR (num_nulls(repo_url, token_address, curve_address) = 0))),
  constraint activations_check1 CHECK (((status = 'failed'::text) = (error_code IS NOT NULL))),
  constraint activations_check2 CHECK ((num_nulls(deployer, token_address, curve_address) = ANY (ARRAY[0, 3]))),
  constraint activations_gas_reserved_wei_check CHECK ((gas_reserved_wei >= (0)::numeric)),
  constraint activations_pkey PRIMARY KEY (project_id),
  constraint activations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint activations_round_check CHECK ((round > 0)),
  constraint activations_status_check CHECK ((status = ANY (ARRAY['running'::text, 'failed'::text, 'done'::text, 'needs_operator'::text]))),
  constraint activations_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id)
);
CREATE INDEX activations_by_curve ON public.activations USING btree (lower(curve_address));
CREATE INDEX activations_by_start ON public.activations USING btree (started_at);
CREATE UNIQUE INDEX activations_of_repository ON public.activations USING btree (repository_id) WHERE (repository_id IS NOT NULL);
CREATE INDEX activations_unfinished ON public.activations USING btree (status, lease_until) WHERE (status <> 'done'::text);
CREATE INDEX activations_unfollowed ON public.activations USING btree (project_id) WHERE (curve_address IS DISTINCT FROM followed_curve);
CREATE TRIGGER activations_transition BEFORE UPDATE OF status ON public.activations FOR EACH ROW EXECUTE FUNCTION allow_transitions('running>done', 'running>failed', 'running>needs_operator', 'failed>running', 'failed>done', 'done>needs_operator', 'needs_operator>running', 'needs_operator>done', 'needs_operator>failed');
comment on column activations.deployer is 'the operator key whose project address this is; fixed once chosen';
comment on column activations.followed_curve is 'the curve whose trades the follower stores from its creation on';
comment on column activations.started_at is 'when it was last asked for';
comment on column activations.gas_reserved_wei is 'most that its deployment can cost; once that has ended, what it has cost';

create table activity (
  seq bigint generated always as identity not null,
  id text not null,
  type text not null,
  agent_id text,
  project_id text,
  bounty_id text,
  submission_id text,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  visibility text not null default 'public'::text,
  "position" bigint,
  reason text,
  recipients text[] not null default '{}'::text[],
  constraint activity_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint activity_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id),
  constraint activity_pkey PRIMARY KEY (id),
  constraint activity_position_check CHECK (("position" > 0)),
  constraint activity_private_types CHECK (((visibility = 'private'::text) OR (split_part(type, '.'::text, 1) <> ALL (ARRAY['withdrawal'::text, 'allowance'::text, 'wallet'::text, 'key'::text, 'webhook'::text])))),
  constraint activity_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint activity_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint activity_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id),
  constraint activity_type_check CHECK ((type = ANY (ARRAY['agent.registered'::text, 'project.created'::text, 'project.activated'::text, 'repository.lost'::text, 'repository.found'::text, 'bounty.created'::text, 'bounty.updated'::text, 'bounty.claimed'::text, 'bounty.cancelled'::text, 'bounty.funded'::text, 'bounty.refunded'::text, 'claim.proved'::text, 'claim.extended'::text, 'claim.released'::text, 'claim.lapsed'::text, 'claim.dismissed'::text, 'submission.created'::text, 'submission.approved'::text, 'submission.rejected'::text, 'submission.changes_requested'::text, 'submission.retracted'::text, 'submission.overdue'::text, 'acceptance.blocked'::text, 'acceptance.started'::text, 'acceptance.stopped'::text, 'comment.created'::text, 'payout.confirmed'::text, 'payout.failed'::text, 'pull_request.updated'::text, 'pull_request.merged'::text, 'pull_request.closed'::text, 'withdrawal.requested'::text, 'withdrawal.confirmed'::text, 'withdrawal.failed'::text, 'allowance.requested'::text, 'allowance.confirmed'::text, 'allowance.failed'::text, 'wallet.exported'::text, 'key.rotated'::text, 'webhook.tested'::text, 'webhook.failing'::text, 'webhook.disabled'::text]))),
  constraint activity_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text])))
);
CREATE INDEX activity_conversation ON public.activity USING btree (bounty_id, seq) WHERE ((visibility = 'public'::text) AND (type = ANY (ARRAY['comment.created'::text, 'claim.released'::text, 'claim.dismissed'::text, 'submission.changes_requested'::text, 'submission.rejected'::text, 'submission.approved'::text, 'submission.retracted'::text])));
CREATE UNIQUE INDEX activity_positions ON public.activity USING btree ("position") WHERE ("position" IS NOT NULL);
CREATE INDEX activity_public ON public.activity USING btree (seq DESC) WHERE (visibility = 'public'::text);
CREATE INDEX activity_public_by_bounty ON public.activity USING btree (bounty_id, seq) WHERE ((visibility = 'public'::text) AND (bounty_id IS NOT NULL));
CREATE INDEX activity_public_by_project ON public.activity USING btree (project_id, seq DESC) WHERE (visibility = 'public'::text);
CREATE INDEX activity_unsequenced ON public.activity USING btree (seq) WHERE ("position" IS NULL);
CREATE TRIGGER activity_position_kept BEFORE UPDATE OF "position" ON public.activity FOR EACH ROW WHEN (((old."position" IS NOT NULL) AND (new."position" IS DISTINCT FROM old."position"))) EXECUTE FUNCTION keep_position();
comment on column activity.visibility is 'the public feed shows public entries only';
comment on column activity."position" is 'dense place in the log, given after the commit; null until then';
comment on column activity.reason is 'why, in the words of the agent; only the conversation about the bounty shows it';
comment on column activity.recipients is 'agents that are notified: its own, and of what is public the founder and others that it concerns';

create table agents (
  id text not null,
  name text not null,
  wallet_address text,
  wallet_type text,
  key_id text not null,
  key_hash text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint agents_check CHECK (((wallet_address IS NULL) = (wallet_type IS NULL))),
  constraint agents_key_hash_check CHECK ((key_hash ~~ '$argon2id$%'::text)),
  constraint agents_key_id_key UNIQUE (key_id),
  constraint agents_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_wallet_address_check CHECK ((wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text)),
  constraint agents_wallet_type_check CHECK ((wallet_type = ANY (ARRAY['vendor_inapp'::text, 'external'::text])))
);
CREATE TRIGGER agents_counted AFTER INSERT ON public.agents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_agents();
CREATE TRIGGER agents_counted_after_delete AFTER DELETE ON public.agents REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_agents_after_delete();
comment on column agents.key_id is 'public part of the API key, used to find the row';

create table bounties (
  id text not null,
  project_id text not null,
  title text not null,
  description text not null,
  reward_amount bigint not null,
  difficulty text not null,
  revision integer not null default 1,
  tags text[] not null default '{}'::text[],
  status text not null default 'open'::text,
  claimed_by text,
  claimed_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  claim_expires_at timestamp with time zone,
  extensions_left smallint,
  postponed_from timestamp with time zone,
  extended_by interval not null default '00:00:00'::interval,
  min_approved smallint,
  acceptance jsonb,
  comments_min_approved smallint not null default 0,
  proof_due_at timestamp with time zone,
  seen_sha text,
  look_at timestamp with time zone,
  looked_at timestamp with time zone,
  listed_at timestamp with time zone,
  constraint bounties_check CHECK (((status = ANY (ARRAY['open'::text, 'cancelled'::text])) = (claimed_by IS NULL))),
  constraint bounties_check1 CHECK (((claimed_by IS NULL) = (claimed_at IS NULL))),
  constraint bounties_check2 CHECK (((look_at IS NULL) OR (status = 'claimed'::text))),
  constraint bounties_claim_expires CHECK (((status = 'claimed'::text) = (claim_expires_at IS NOT NULL))),
  constraint bounties_claimed_by_fkey FOREIGN KEY (claimed_by) REFERENCES agents(id),
  constraint bounties_comments_min_approved_check CHECK (((comments_min_approved >= 0) AND (comments_min_approved <= 50))),
  constraint bounties_description_check CHECK (((char_length(description) >= 1) AND (char_length(description) <= 2000))),
  constraint bounties_difficulty_check CHECK ((difficulty = ANY (ARRAY['easy'::text, 'medium'::text, 'hard'::text, 'extreme'::text]))),
  constraint bounties_extensions CHECK (((status = 'claimed'::text) = (extensions_left IS NOT NULL))),
  constraint bounties_extensions_left_check CHECK (((extensions_left >= 0) AND (extensions_left <= 2))),
  constraint bounties_min_approved_check CHECK (((min_approved >= 0) AND (min_approved <= 50))),
  constraint bounties_pkey PRIMARY KEY (id),
  constraint bounties_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint bounties_proof CHECK (((proof_due_at IS NULL) OR ((status = 'claimed'::text) AND (seen_sha IS NULL)))),
  constraint bounties_revision_check CHECK ((revision > 0)),
  constraint bounties_reward_amount_check CHECK (((reward_amount >= 1) AND (reward_amount <= '1000000000000'::bigint))),
  constraint bounties_status_check CHECK ((status = ANY (ARRAY['open'::text, 'claimed'::text, 'in_review'::text, 'done'::text, 'cancelled'::text]))),
  constraint bounties_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200)))
);
CREATE INDEX bounties_by_difficulty ON public.bounties USING btree (difficulty, status, created_at DESC, id DESC, reward_amount);
CREATE INDEX bounties_by_project_and_status ON public.bounties USING btree (project_id, status, created_at DESC, id DESC, difficulty, reward_amount);
CREATE INDEX bounties_by_status ON public.bounties USING btree (status, created_at DESC, id DESC, reward_amount);
CREATE INDEX bounties_by_tag ON public.bounties USING gin (tags) WHERE (tags <> '{}'::text[]);
CREATE INDEX bounties_lapsing ON public.bounties USING btree (claim_expires_at) WHERE (status = 'claimed'::text);
CREATE INDEX bounties_newest ON public.bounties USING btree (created_at DESC, id DESC, reward_amount) WHERE (status <> 'cancelled'::text);
CREATE INDEX bounties_of_difficulty ON public.bounties USING btree (difficulty, created_at DESC, id DESC, reward_amount) WHERE (status <> 'cancelled'::text);
CREATE INDEX bounties_of_project ON public.bounties USING btree (project_id, created_at DESC, id DESC, difficulty, reward_amount) WHERE (status <> 'cancelled'::text);
CREATE UNIQUE INDEX bounties_one_active_claim ON public.bounties USING btree (claimed_by, project_id) WHERE (status = ANY (ARRAY['claimed'::text, 'in_review'::text]));
CREATE INDEX bounties_open_by_reward ON public.bounties USING btree (reward_amount DESC, created_at DESC, id DESC) WHERE (status = 'open'::text);
CREATE INDEX bounties_open_of_project_by_reward ON public.bounties USING btree (project_id, reward_amount DESC, created_at DESC, id DESC) WHERE (status = 'open'::text);
CREATE INDEX bounties_to_look_at ON public.bounties USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE TRIGGER bounties_claim_kept BEFORE UPDATE OF claimed_by ON public.bounties FOR EACH ROW WHEN ((old.claimed_by <> new.claimed_by)) EXECUTE FUNCTION keep_claim();
CREATE TRIGGER bounties_counted_after_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_bounties_after_delete();
CREATE TRIGGER bounties_counted_after_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_bounties_after_insert();
CREATE TRIGGER bounties_counted_after_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_bounties_after_update();
CREATE TRIGGER bounties_transition BEFORE UPDATE OF status ON public.bounties FOR EACH ROW EXECUTE FUNCTION allow_transitions('open>claimed', 'open>cancelled', 'claimed>open', 'claimed>in_review', 'in_review>claimed', 'in_review>open', 'in_review>done');
comment on column bounties.reward_amount is 'whole tokens';
comment on column bounties.postponed_from is 'when the claim would have ended if the code host had not been away when its claimant submitted';
comment on column bounties.extended_by is 'how much of the time until claim_expires_at extensions have added';
comment on column bounties.min_approved is 'standing that a claimant needs; null: as much as the project wants';
comment on column bounties.acceptance is 'the checks with their posters, paths and hours by which the silence of the founder accepts; null: it never does';
comment on column bounties.comments_min_approved is 'standing that an agent without a claim or work on it needs to comment';
comment on column bounties.proof_due_at is 'until when work of the claimant has to be seen; null where it was, or need not be';
comment on column bounties.seen_sha is 'the commit by which work of the claimant was seen last';
comment on column bounties.look_at is 'when the code host is to be asked for work of the claimant';
comment on column bounties.looked_at is 'when it was asked last for work of a claimant';
comment on column bounties.listed_at is 'when it was asked for the list of work that it has shown since a deadline of a claim';

create table bounty_revisions (
  bounty_id text not null,
  revision integer not null,
  title text not null,
  description text not null,
  difficulty text not null,
  reward_amount bigint not null,
  tags text[] not null,
  min_approved smallint,
  acceptance jsonb,
  created_at timestamp with time zone not null,
  constraint bounty_revisions_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id),
  constraint bounty_revisions_difficulty_check CHECK ((difficulty = ANY (ARRAY['easy'::text, 'medium'::text, 'hard'::text, 'extreme'::text]))),
  constraint bounty_revisions_pkey PRIMARY KEY (bounty_id, revision)
);
comment on table bounty_revisions is 'every revision, also the present one, of each bounty that was changed';

create table bounty_texts (
  id text not null,
  created_at timestamp with time zone not null,
  title_folded text not null,
  description_folded text not null,
  constraint bounty_texts_pkey PRIMARY KEY (id)
);
CREATE INDEX bounty_texts_keyword ON public.bounty_texts USING gin ((((title_folded || ' '::text) || description_folded)) gin_trgm_ops) WITH (gin_pending_list_limit='12288');
comment on table bounty_texts is 'title and description of each bounty in lower case';

create table comments (
  id text not null,
  event_id text not null,
  project_id text not null,
  bounty_id text not null,
  agent_id text not null,
  role text not null,
  text text not null,
  unanswered boolean not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  hidden_at timestamp with time zone,
  constraint comments_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint comments_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id),
  constraint comments_check CHECK ((NOT ((role = 'founder'::text) AND (unanswered OR (hidden_at IS NOT NULL))))),
  constraint comments_event_id_fkey FOREIGN KEY (event_id) REFERENCES activity(id),
  constraint comments_event_id_key UNIQUE (event_id),
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint comments_role_check CHECK ((role = ANY (ARRAY['founder'::text, 'claimant'::text, 'contributor'::text, 'other'::text]))),
  constraint comments_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 5000)))
);
CREATE INDEX comments_of_bounty ON public.comments USING btree (bounty_id, agent_id, created_at);
CREATE INDEX comments_unanswered ON public.comments USING btree (project_id, bounty_id) WHERE unanswered;
comment on column comments.role is 'what the agent was on the bounty when it wrote';
comment on column comments.unanswered is 'whether the founder has written nothing since, on a bounty that was not done';

create table deposits (
  bounty_id text not null,
  agent_id text not null,
  project_id text not null,
  payout_id text not null,
  chain_id bigint not null,
  platform_wallet text not null,
  amount numeric(78,0) not null,
  status text not null default 'queued'::text,
  relay_id text not null,
  locked_until timestamp with time zone,
  fund_tx text,
  transaction_id bigint,
  end_tx text,
  error_code text,
  error text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint deposits_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint deposits_amount_check CHECK ((amount > (0)::numeric)),
  constraint deposits_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id),
  constraint deposits_check CHECK (((status <> ALL (ARRAY['locked'::text, 'refunding'::text])) OR (num_nulls(locked_until, fund_tx) = 0))),
  constraint deposits_check1 CHECK (((status <> ALL (ARRAY['queued'::text, 'failed'::text])) OR (num_nonnulls(locked_until, fund_tx) = 0))),
  constraint deposits_check2 CHECK (((status <> 'failed'::text) OR (error_code IS NOT NULL))),
  constraint deposits_check3 CHECK (((error_code IS NULL) = (error IS NULL))),
  constraint deposits_end_tx_check CHECK ((end_tx ~ '^0x[0-9a-f]{64}$'::text)),
  constraint deposits_ended CHECK (((status = ANY (ARRAY['paid'::text, 'refunded'::text])) = (end_tx IS NOT NULL))),
  constraint deposits_fund_tx_check CHECK ((fund_tx ~ '^0x[0-9a-f]{64}$'::text)),
  constraint deposits_payout_id_check CHECK ((payout_id ~ '^0x[0-9a-f]{64}$'::text)),
  constraint deposits_pkey PRIMARY KEY (bounty_id),
  constraint deposits_platform_wallet_check CHECK ((platform_wallet ~ '^0x[0-9a-f]{40}$'::text)),
  constraint deposits_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint deposits_relay_id_fkey FOREIGN KEY (relay_id) REFERENCES relays(id),
  constraint deposits_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'locked'::text, 'failed'::text, 'paid'::text, 'refunding'::text, 'refunded'::text]))),
  constraint deposits_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id)
);
CREATE INDEX deposits_locked ON public.deposits USING btree (locked_until) WHERE (status = 'locked'::text);
CREATE INDEX deposits_locked_by_amount ON public.deposits USING btree (amount DESC) WHERE (status = 'locked'::text);
CREATE UNIQUE INDEX deposits_of_relay ON public.deposits USING btree (relay_id);
CREATE INDEX deposits_refunding ON public.deposits USING btree (bounty_id) WHERE (status = 'refunding'::text);
CREATE TRIGGER deposits_kept BEFORE UPDATE ON public.deposits FOR EACH ROW EXECUTE FUNCTION keep_deposit();
CREATE TRIGGER deposits_transition BEFORE UPDATE OF status ON public.deposits FOR EACH ROW EXECUTE FUNCTION allow_transitions('queued>locked', 'queued>failed', 'queued>paid', 'locked>queued', 'locked>paid', 'locked>refunding', 'locked>refunded', 'failed>queued', 'failed>paid', 'refunding>queued', 'refunding>locked', 'refunding>paid', 'refunding>refunded', 'refunded>locked', 'refunded>paid');
comment on table deposits is 'dollars that a founder locks for a bounty in the platform wallet: one row a bounty, permanently';
comment on column deposits.agent_id is 'the founder';
comment on column deposits.payout_id is 'derived from the bounty; the platform wallet takes one deposit for each';
comment on column deposits.amount is 'base units of the coin';
comment on column deposits.relay_id is 'what carries the founder''s signature';
comment on column deposits.locked_until is 'as the chain shows: from then on the dollars can only be refunded';
comment on column deposits.fund_tx is 'the transaction that locked them; also where somebody else sent it';
comment on column deposits.transaction_id is 'of its refund';
comment on column deposits.end_tx is 'the transaction that paid or refunded them';
comment on column deposits.error_code is 'of one that is refunding: why the chain has refused that so far';

create table ended_claims (
  bounty_id text not null,
  agent_id text not null,
  claimed_at timestamp with time zone not null,
  ended_at timestamp with time zone not null default clock_timestamp(),
  ending text not null,
  work_seen boolean not null default false,
  while_lost boolean not null default false,
  constraint ended_claims_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint ended_claims_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id),
  constraint ended_claims_ending_check CHECK ((ending = ANY (ARRAY['released'::text, 'lapsed'::text, 'dismissed'::text]))),
  constraint ended_claims_pkey PRIMARY KEY (bounty_id, agent_id, claimed_at)
);
CREATE INDEX ended_claims_dismissed ON public.ended_claims USING btree (bounty_id) WHERE (ending = 'dismissed'::text);
CREATE INDEX ended_claims_of_agent ON public.ended_claims USING btree (agent_id, ending);
comment on table ended_claims is 'claims that ended without a submission';
comment on column ended_claims.work_seen is 'whether work of the claimant had been seen';
comment on column ended_claims.while_lost is 'whether the repository was lost, so that it does not count as given up';

create table followers (
  chain_id bigint not null,
  wallets text[] not null,
  block_number bigint,
  block_hash text,
  head_block bigint,
  caught_up_at timestamp with time zone not null default clock_timestamp(),
  lease_owner text,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  fence bigint not null default 0,
  constraint followers_block_number_check CHECK ((block_number >= 0)),
  constraint followers_check CHECK (((block_number IS NULL) = (block_hash IS NULL))),
  constraint followers_pkey PRIMARY KEY (chain_id)
);
comment on table followers is 'one row a chain; whoever holds its lease reads the logs of the chain';
comment on column followers.wallets is 'platform wallets whose payments count, in lower case';
comment on column followers.block_number is 'the last final block whose logs are stored for good; null before the first read';
comment on column followers.head_block is 'the newest block whose logs are stored';
comment on column followers.caught_up_at is 'when the logs of the newest block were last known to be stored';

create table github_deliveries (
  id text not null,
  event text not null,
  action text,
  repository_id bigint,
  pull_number integer,
  head_sha text,
  check_id bigint,
  received_at timestamp with time zone not null default clock_timestamp(),
  constraint github_deliveries_action_check CHECK ((char_length(action) <= 100)),
  constraint github_deliveries_event_check CHECK ((char_length(event) <= 100)),
  constraint github_deliveries_id_check CHECK ((char_length(id) <= 100)),
  constraint github_deliveries_pkey PRIMARY KEY (id)
);
CREATE INDEX github_deliveries_of_repository ON public.github_deliveries USING btree (repository_id, received_at);
CREATE INDEX github_deliveries_received ON public.github_deliveries USING brin (received_at);
comment on table github_deliveries is 'webhooks that the code host has sent, so that none counts twice; ids only, no text';

create table heartbeat (
  is_the_row boolean not null default true,
  beaten_at timestamp with time zone not null default clock_timestamp(),
  nothing_lapses_before timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint heartbeat_is_the_row_check CHECK (is_the_row),
  constraint heartbeat_pkey PRIMARY KEY (is_the_row)
);
comment on table heartbeat is 'one row: when a process of the service last ran, so that outages end no deadline';
comment on column heartbeat.nothing_lapses_before is 'the end of the latest outage plus its length';

create table idempotency_keys (
  scope text not null,
  key_digest bytea not null,
  operation text not null,
  request_digest bytea not null,
  resume jsonb,
  response_status smallint,
  response_body bytea,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null default (clock_timestamp() + '24:00:00'::interval),
  constraint idempotency_keys_check CHECK (((response_status IS NULL) = (response_body IS NULL))),
  constraint idempotency_keys_check1 CHECK (((response_status IS NULL) = (resume IS NOT NULL))),
  constraint idempotency_keys_pkey PRIMARY KEY (scope, key_digest)
);
CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at);
comment on column idempotency_keys.scope is 'agent id, or register for callers who have none yet';
comment on column idempotency_keys.resume is 'in place of a response: what finds the work again, from which the response is made anew';
comment on column idempotency_keys.response_body is 'the JSON sent, sealed under the Idempotency-Key, which only the caller has';
comment on column idempotency_keys.expires_at is 'until then the response is repeated; earlier where it holds a secret';

create table lanes (
  chain_id bigint not null,
  address text not null,
  next_nonce bigint not null,
  lease_owner text,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  fence bigint not null default 0,
  constraint lanes_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text)),
  constraint lanes_next_nonce_check CHECK ((next_nonce >= 0)),
  constraint lanes_pkey PRIMARY KEY (chain_id, address)
);
comment on table lanes is 'one row an operator key; whoever holds its lease is the only sender';
comment on column lanes.fence is 'raised at every change of hands; a write carrying an older number is refused';

create table managed_wallets (
  agent_id text not null,
  address text not null,
  sealed_key bytea not null,
  key_version integer not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint managed_wallets_address_check CHECK ((address ~ '^0x[0-9a-fA-F]{40}$'::text)),
  constraint managed_wallets_address_key UNIQUE (address),
  constraint managed_wallets_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint managed_wallets_key_version_check CHECK ((key_version > 0)),
  constraint managed_wallets_pkey PRIMARY KEY (agent_id)
);
CREATE INDEX managed_wallets_by_key_version ON public.managed_wallets USING btree (key_version, agent_id);
comment on column managed_wallets.sealed_key is 'AES-256-GCM: nonce, tag, ciphertext of the private key';
comment on column managed_wallets.key_version is 'which version of the master key sealed it';

create table payments (
  platform_wallet text not null,
  payout_id text not null,
  token text not null,
  from_address text not null,
  to_address text not null,
  amount numeric(78,0) not null,
  fee numeric(78,0) not null,
  chain_id bigint not null,
  block_number bigint not null,
  log_index integer not null,
  block_hash text not null,
  block_time timestamp with time zone not null,
  tx_hash text not null,
  constraint payments_pkey PRIMARY KEY (chain_id, block_number, log_index)
);
CREATE INDEX payments_by_payout_id ON public.payments USING btree (payout_id);
comment on table payments is 'every Paid event of a known platform wallet; addresses in lower case, amounts in base units';

create table payouts (
  submission_id text not null,
  payout_id text not null,
  chain_id bigint not null,
  platform_wallet text not null,
  token text not null,
  from_address text not null,
  to_address text not null,
  amount numeric(78,0) not null,
  fee numeric(78,0) not null,
  status text not null default 'running'::text,
  round integer not null default 1,
  transaction_id bigint,
  tx_hash text,
  error_code text,
  error text,
  served_by text,
  served_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  settled_at timestamp with time zone,
  agent_id text,
  project_id text,
  head_sha text,
  begun_at timestamp with time zone not null default clock_timestamp(),
  worth_wei numeric(78,0),
  is_backed boolean not null default false,
  dollars numeric(78,0) not null default 0,
  dollar_fee numeric(78,0) not null default 0,
  dollar_address text,
  constraint payouts_amount_check CHECK ((amount > (0)::numeric)),
  constraint payouts_check CHECK (((dollar_fee >= (0)::numeric) AND (dollar_fee <= dollars))),
  constraint payouts_check1 CHECK (((dollars > (0)::numeric) = (dollar_address IS NOT NULL))),
  constraint payouts_check2 CHECK ((lower(from_address) <> lower(to_address))),
  constraint payouts_check3 CHECK (((status = 'settled'::text) = (settled_at IS NOT NULL))),
  constraint payouts_check4 CHECK (((status <> 'settled'::text) OR (tx_hash IS NOT NULL))),
  constraint payouts_check5 CHECK (((status = 'failed'::text) = (error_code IS NOT NULL))),
  constraint payouts_dollar_address_check CHECK ((dollar_address ~ '^0x[0-9a-f]{40}$'::text)),
  constraint payouts_dollars_check CHECK ((dollars >= (0)::numeric)),
  constraint payouts_fee_check CHECK ((fee >= (0)::numeric)),
  constraint payouts_head_sha_check CHECK ((head_sha ~ '^[0-9a-f]{40,64}$'::text)),
  constraint payouts_payout_id_check CHECK ((payout_id ~ '^0x[0-9a-f]{64}$'::text)),
  constraint payouts_pkey PRIMARY KEY (submission_id),
  constraint payouts_round_check CHECK ((round > 0)),
  constraint payouts_status_check CHECK ((status = ANY (ARRAY['running'::text, 'failed'::text, 'settled'::text, 'needs_operator'::text]))),
  constraint payouts_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id),
  constraint payouts_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  constraint payouts_worth_wei_check CHECK ((worth_wei >= (0)::numeric))
);
CREATE INDEX payouts_begun ON public.payouts USING btree (project_id, begun_at);
CREATE INDEX payouts_by_payout_id ON public.payouts USING btree (payout_id);
CREATE INDEX payouts_newest ON public.payouts USING btree (created_at DESC, submission_id DESC);
CREATE INDEX payouts_of_agent ON public.payouts USING btree (agent_id, created_at DESC, submission_id DESC);
CREATE INDEX payouts_of_project ON public.payouts USING btree (project_id, created_at DESC, submission_id DESC);
CREATE INDEX payouts_received ON public.payouts USING btree (lower(to_address)) WHERE (status = 'settled'::text);
CREATE INDEX payouts_settled ON public.payouts USING btree (settled_at) WHERE (status = 'settled'::text);
CREATE INDEX payouts_settled_of_project ON public.payouts USING btree (project_id, settled_at) INCLUDE (amount) WHERE (status = 'settled'::text);
CREATE UNIQUE INDEX payouts_settled_once ON public.payouts USING btree (payout_id) WHERE (status = 'settled'::text);
CREATE INDEX payouts_standing ON public.payouts USING btree (agent_id, project_id) WHERE ((status = 'settled'::text) AND is_backed);
CREATE INDEX payouts_unsettled ON public.payouts USING btree (created_at) WHERE (status <> 'settled'::text);
CREATE TRIGGER payouts_named BEFORE INSERT ON public.payouts FOR EACH ROW EXECUTE FUNCTION name_payout();
CREATE TRIGGER payouts_transition BEFORE UPDATE OF status ON public.payouts FOR EACH ROW EXECUTE FUNCTION allow_transitions('running>settled', 'running>failed', 'running>needs_operator', 'failed>running', 'failed>settled', 'failed>needs_operator', 'needs_operator>running', 'needs_operator>settled', 'needs_operator>failed', 'settled>needs_operator');
comment on table payouts is 'one row a submission, permanently; the platform wallet pays each payout id once';
comment on column payouts.payout_id is 'derived from the bounty';
comment on column payouts.amount is 'base units the contributor gets, fee not included';
comment on column payouts.fee is 'base units the treasury gets';
comment on column payouts.round is 'how often the founder has asked for it';
comment on column payouts.served_by is 'the request that is waiting for it, while served_until lies ahead';
comment on column payouts.agent_id is 'the contributor; kept by a trigger, as project_id is';
comment on column payouts.head_sha is 'the commit that was approved: the one that the founder named, else the newest one known then';
comment on column payouts.begun_at is 'when the founder asked for it last';
comment on column payouts.worth_wei is 'what the curve would have paid then for the amount, had all been sold before that the project began to pay in the 24 hours before; null where nothing was read, as for a payment that this database had lost';
comment on column payouts.is_backed is 'whether that was enough: the payout counts for the standing of the contributor, and for no limit of the founder';
comment on column payouts.dollars is 'base units of the coin that are locked for the bounty and paid with the tokens, fee included';
comment on column payouts.dollar_fee is 'the part of them that the treasury gets';
comment on column payouts.dollar_address is 'the coin';

create table project_maintainers (
  project_id text not null,
  account_id bigint not null,
  login text not null,
  invited_at timestamp with time zone not null default clock_timestamp(),
  busy_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint project_maintainers_pkey PRIMARY KEY (project_id),
  constraint project_maintainers_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
comment on table project_maintainers is 'the account at the code host that a founder has named as theirs, one a project';
comment on column project_maintainers.busy_until is 'until when one request changes who has access, at most';

create table projects (
  id text not null,
  name text not null,
  description text not null,
  status text not null default 'proposed'::text,
  founder_id text not null,
  token_symbol text not null,
  token_supply bigint not null,
  founder_wallet text,
  repo_url text,
  token_address text,
  curve_address text,
  committed bigint not null default 0,
  created_at timestamp with time zone not null default clock_timestamp(),
  name_folded text not null generated always as (fold(name)) stored,
  description_folded text not null generated always as (fold(description)) stored,
  repository_id bigint,
  min_approved smallint not null default 0,
  wanted_repository text,
  repository_looked_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  repository_look_at timestamp with time zone,
  repository_missing text[],
  repository_lost_at timestamp with time zone,
  default_branch text not null default 'main'::text,
  constraint projects_check CHECK (((status = 'proposed'::text) OR (num_nulls(founder_wallet, repo_url, token_address, curve_address) = 0))),
  constraint projects_check1 CHECK (((status = 'active'::text) OR (num_nonnulls(founder_wallet, repo_url, token_address, curve_address) = 0))),
  constraint projects_committed_check CHECK ((committed >= 0)),
  constraint projects_description_check CHECK (((char_length(description) >= 1) AND (char_length(description) <= 2000))),
  constraint projects_founder_id_fkey FOREIGN KEY (founder_id) REFERENCES agents(id),
  constraint projects_min_approved_check CHECK (((min_approved >= 0) AND (min_approved <= 50))),
  constraint projects_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'active'::text]))),
  constraint projects_token_supply_check CHECK (((token_supply >= 1) AND (token_supply <= '1000000000000'::bigint))),
  constraint projects_token_symbol_check CHECK ((token_symbol ~ '^[A-Za-z0-9]{1,20}$'::text))
);
CREATE INDEX projects_by_founder_wallet ON public.projects USING btree (lower(founder_wallet)) WHERE (founder_wallet IS NOT NULL);
CREATE INDEX projects_by_status ON public.projects USING btree (status, created_at DESC, id DESC);
CREATE UNIQUE INDEX projects_curve ON public.projects USING btree (lower(curve_address));
CREATE INDEX projects_keyword ON public.projects USING gin (name_folded gin_trgm_ops, description_folded gin_trgm_ops);
CREATE INDEX projects_look_at ON public.projects USING btree (repository_look_at) WHERE (repository_look_at IS NOT NULL);
CREATE INDEX projects_newest ON public.projects USING btree (created_at DESC, id DESC, status);
CREATE INDEX projects_of_founder ON public.projects USING btree (founder_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX projects_repository ON public.projects USING btree (repository_id) WHERE (repository_id IS NOT NULL);
CREATE UNIQUE INDEX projects_token ON public.projects USING btree (lower(token_address));
CREATE TRIGGER projects_counted AFTER UPDATE OF status ON public.projects FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION count_projects();
CREATE TRIGGER projects_counted_after_delete AFTER DELETE ON public.projects REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_projects_after_delete();
CREATE TRIGGER projects_counted_after_insert AFTER INSERT ON public.projects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_projects_after_insert();
CREATE TRIGGER projects_transition BEFORE UPDATE OF status ON public.projects FOR EACH ROW EXECUTE FUNCTION allow_transitions('proposed>active');
comment on column projects.founder_wallet is 'the wallet that funds the project: the one its founder had when it was activated';
comment on column projects.committed is 'whole tokens promised by bounties that are not done, kept by a trigger';
comment on column projects.name_folded is 'what keyword searches look through, as are all columns of this kind';
comment on column projects.repository_id is 'id that the code host gave the repository; it outlives a new name. Null until the host reported it';
comment on column projects.min_approved is 'standing that an agent needs to claim a bounty that says nothing else';
comment on column projects.wanted_repository is 'owner and name of the repository that the founder brings; null: the organization makes one';
comment on column projects.repository_look_at is 'when that of an active project is looked at again';
comment on column projects.repository_missing is 'what kept that repository from being the project''s when it was looked at, or what the host has reported since; null: it was not';
comment on column projects.default_branch is 'the branch into which pull requests go';

create table pull_requests (
  url text not null,
  project_id text not null,
  number integer not null,
  state text not null,
  draft boolean not null,
  merged boolean not null,
  merge_commit_sha text,
  head_sha text not null,
  base_ref text not null,
  into_default boolean not null,
  opened_at timestamp with time zone,
  changed_at timestamp with time zone not null,
  author_id bigint,
  author_login text,
  fork_owner_id bigint,
  head_ref text not null,
  additions integer not null,
  deletions integer not null,
  changed_files integer not null,
  mergeable boolean,
  checks_state text not null default 'none'::text,
  failed_checks text[] not null default '{}'::text[],
  neutral_checks text[] not null default '{}'::text[],
  skipped_checks text[] not null default '{}'::text[],
  checks_total integer default 0,
  etags jsonb not null default '{}'::jsonb,
  refreshed_at timestamp with time zone not null default clock_timestamp(),
  read_at timestamp with time zone not null default clock_timestamp(),
  due_at timestamp with time zone default clock_timestamp(),
  merged_at timestamp with time zone,
  merged_by_itself boolean not null default false,
  merged_by_hash boolean not null default false,
  merged_by_id bigint,
  acceptance_due_at timestamp with time zone,
  constraint pull_requests_additions_check CHECK ((additions >= 0)),
  constraint pull_requests_author CHECK (((author_id IS NULL) = (author_login IS NULL))),
  constraint pull_requests_base_ref_check CHECK (((char_length(base_ref) >= 1) AND (char_length(base_ref) <= 1000))),
  constraint pull_requests_changed_files_check CHECK ((changed_files >= 0)),
  constraint pull_requests_checks_state_check CHECK ((checks_state = ANY (ARRAY['none'::text, 'pending'::text, 'success'::text, 'failure'::text, 'unknown'::text]))),
  constraint pull_requests_checks_total_check CHECK ((checks_total >= 0)),
  constraint pull_requests_deletions_check CHECK ((deletions >= 0)),
  constraint pull_requests_head_sha_check CHECK ((head_sha ~ '^[0-9a-f]{40,64}$'::text)),
  constraint pull_requests_merge_commit CHECK ((merged OR (merge_commit_sha IS NULL))),
  constraint pull_requests_merge_commit_sha_check CHECK ((merge_commit_sha ~ '^[0-9a-f]{40,64}$'::text)),
  constraint pull_requests_merged CHECK (((NOT merged) OR (state <> 'open'::text))),
  constraint pull_requests_merged_by CHECK ((merged OR (num_nonnulls(NULLIF(merged_by_itself, false), merged_by_id) = 0))),
  constraint pull_requests_number_check CHECK ((number > 0)),
  constraint pull_requests_pkey PRIMARY KEY (url),
  constraint pull_requests_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint pull_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text, 'gone'::text])))
);
CREATE INDEX pull_requests_acceptances ON public.pull_requests USING btree (acceptance_due_at) WHERE (acceptance_due_at IS NOT NULL);
CREATE INDEX pull_requests_due ON public.pull_requests USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX pull_requests_merged ON public.pull_requests USING btree (project_id, merge_commit_sha) WHERE merged;
CREATE UNIQUE INDEX pull_requests_of_project ON public.pull_requests USING btree (project_id, number);
CREATE INDEX pull_requests_unmerged ON public.pull_requests USING btree (project_id) WHERE ((NOT merged) AND (state <> 'gone'::text));
comment on table pull_requests is 'facts about pull requests that were submitted, as the code host reported them; url is that of their submissions';
comment on column pull_requests.state is 'gone: the code host no longer has it, the other columns are what it reported last';
comment on column pull_requests.base_ref is 'the branch that it is to be merged into';
comment on column pull_requests.into_default is 'whether that is the default branch';
comment on column pull_requests.opened_at is 'when it was opened, by the clock of the code host';
comment on column pull_requests.changed_at is 'when it changed last, by the clock of the code host';
comment on column pull_requests.author_id is 'id that the code host gave the account that opened it; null where it was deleted';
comment on column pull_requests.fork_owner_id is 'id of the account whose fork it comes from; null where it comes from the repository itself, or the host does not say';
comment on column pull_requests.head_ref is 'the name of its branch, which says whose work it is';
comment on column pull_requests.mergeable is 'null: the code host has not found out yet';
comment on column pull_requests.checks_total is 'check runs and statuses of the newest commit at the code host; null: it does not show them';
comment on column pull_requests.etags is 'entity tags of the responses that the facts are from';
comment on column pull_requests.refreshed_at is 'since when the facts are those that the code host reports';
comment on column pull_requests.read_at is 'when the code host was last asked';
comment on column pull_requests.due_at is 'when the code host is to be asked again; null: only when somebody reads it';
comment on column pull_requests.merged_at is 'when it was merged, by the clock of the code host, or when it was seen open last, if that is later';
comment on column pull_requests.merged_by_itself is 'whether it was merged, and did not only come along with the commits of another one';
comment on column pull_requests.merged_by_hash is 'whether this service has brought the paid commit itself to the default branch, or has asked for that and does not know the outcome, and no squash of it';
comment on column pull_requests.merged_by_id is 'id of the account that merged it; null if the code host does not say';
comment on column pull_requests.acceptance_due_at is 'when its merge, or the silence of the founder, is to be taken for an acceptance, or it is looked at again; null: nothing waits for that';

create table rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_by_expiry ON public.rate_limits USING btree (expire);
comment on table rate_limits is 'layout of the rate-limiter-flexible package, which is its only reader and writer';
comment on column rate_limits.expire is 'milliseconds since 1970';

create table relays (
  id text not null,
  kind text not null,
  agent_id text not null,
  project_id text,
  chain_id bigint not null,
  token text not null,
  wallet text not null,
  amount numeric(78,0) not null,
  recipient text not null,
  as_eth boolean not null default false,
  min_eth numeric(78,0),
  nonce text not null,
  request_digest bytea,
  head_block bigint not null,
  valid_before bigint not null,
  gas_reserved_wei numeric(78,0) not null,
  transaction_id bigint,
  status text not null default 'running'::text,
  tx_hash text,
  eth_paid numeric(78,0),
  error_code text,
  error text,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  amount_moved numeric(78,0),
  constraint relays_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint relays_amount_check CHECK ((amount >= (0)::numeric)),
  constraint relays_check CHECK (((kind = 'withdrawal'::text) = (request_digest IS NOT NULL))),
  constraint relays_check1 CHECK (((kind = 'withdrawal'::text) OR (NOT as_eth))),
  constraint relays_check2 CHECK (((kind = 'permit'::text) OR (amount > (0)::numeric))),
  constraint relays_check3 CHECK (((kind = 'withdrawal'::text) OR (project_id IS NOT NULL))),
  constraint relays_check4 CHECK (((project_id IS NOT NULL) OR (NOT as_eth))),
  constraint relays_check5 CHECK ((as_eth OR (num_nonnulls(min_eth, eth_paid) = 0))),
  constraint relays_check6 CHECK (((status <> 'confirmed'::text) OR (confirmed_at IS NOT NULL))),
  constraint relays_check7 CHECK (((status <> 'failed'::text) OR (error_code IS NOT NULL))),
  constraint relays_check8 CHECK (((error_code IS NULL) = (error IS NULL))),
  constraint relays_confirmed_hash CHECK (((status <> 'confirmed'::text) OR (kind = 'permit'::text) OR (tx_hash IS NOT NULL))),
  constraint relays_eth_paid_check CHECK ((eth_paid > (0)::numeric)),
  constraint relays_gas_reserved_wei_check CHECK ((gas_reserved_wei >= (0)::numeric)),
  constraint relays_hash CHECK (((tx_hash IS NULL) OR (status = 'confirmed'::text))),
  constraint relays_kind_check CHECK ((kind = ANY (ARRAY['withdrawal'::text, 'permit'::text, 'deposit'::text]))),
  constraint relays_min_eth_check CHECK ((min_eth >= (0)::numeric)),
  constraint relays_moved CHECK (((amount_moved IS NULL) OR (status = 'confirmed'::text))),
  constraint relays_nonce_check CHECK ((nonce ~ '^0x[0-9a-f]{64}$'::text)),
  constraint relays_pkey PRIMARY KEY (id),
  constraint relays_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint relays_recipient_check CHECK ((recipient ~ '^0x[0-9a-fA-F]{40}$'::text)),
  constraint relays_status_check CHECK ((status = ANY (ARRAY['running'::text, 'confirmed'::text, 'failed'::text]))),
  constraint relays_token_check CHECK ((token ~ '^0x[0-9a-f]{40}$'::text)),
  constraint relays_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  constraint relays_tx_hash_check CHECK ((tx_hash ~ '^0x[0-9a-f]{64}$'::text)),
  constraint relays_wallet_check CHECK ((wallet ~ '^0x[0-9a-f]{40}$'::text))
);
CREATE INDEX relays_newest ON public.relays USING btree (created_at);
CREATE INDEX relays_of_agent ON public.relays USING btree (agent_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX relays_one_nonce ON public.relays USING btree (chain_id, wallet, nonce) WHERE (kind = 'withdrawal'::text);
CREATE UNIQUE INDEX relays_one_permit ON public.relays USING btree (project_id) WHERE ((kind = 'permit'::text) AND (status = 'running'::text) AND (confirmed_at IS NULL));
CREATE INDEX relays_permits ON public.relays USING btree (project_id, created_at DESC, id DESC) WHERE (kind = 'permit'::text);
CREATE INDEX relays_running ON public.relays USING btree (valid_before) WHERE (status = 'running'::text);
CREATE TRIGGER relays_kept BEFORE UPDATE ON public.relays FOR EACH ROW EXECUTE FUNCTION keep_relay();
CREATE TRIGGER relays_transition BEFORE UPDATE OF status ON public.relays FOR EACH ROW EXECUTE FUNCTION allow_transitions('running>confirmed', 'running>failed', 'confirmed>running', 'failed>running');
comment on table relays is 'signed once and sent by an operator key; the chain lets each signature through once';
comment on column relays.project_id is 'null: a withdrawal of dollars';
comment on column relays.token is 'the project''s, or the coin';
comment on column relays.wallet is 'the wallet that signed: a managed one, or of a deposit the founder''s own';
comment on column relays.amount is 'base units; of a permit the new allowance';
comment on column relays.recipient is 'as the agent wrote it; of a permit or a deposit the platform wallet';
comment on column relays.min_eth is 'lowest acceptable payment in wei';
comment on column relays.nonce is 'of the authorization, derived from the Idempotency-Key; of a permit nonces(wallet), of a deposit the hash of its payout id and the project''s token';
comment on column relays.request_digest is 'what a request with the same Idempotency-Key must match, permanently';
comment on column relays.head_block is 'newest block when it was signed; a reorganisation can move its use to this block or an earlier one';
comment on column relays.valid_before is 'block time in seconds from which on the chain refuses it';
comment on column relays.gas_reserved_wei is 'most that its transaction can cost; once that has ended, what it has cost';
comment on column relays.error_code is 'of a running relay: why the chain has refused it so far';
comment on column relays.confirmed_at is 'when it was first reported confirmed';
comment on column relays.amount_moved is 'base units, as the chain shows, which may be an earlier signature with the same nonce; null unless it is confirmed';

create table replaced_keys (
  key_id text not null,
  agent_id text not null,
  key_hash text not null,
  ends_at timestamp with time zone not null,
  rotation_digest bytea,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint replaced_keys_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint replaced_keys_key_hash_check CHECK ((key_hash ~~ '$argon2id$%'::text)),
  constraint replaced_keys_pkey PRIMARY KEY (key_id)
);
CREATE INDEX replaced_keys_by_agent ON public.replaced_keys USING btree (agent_id);
CREATE INDEX replaced_keys_by_end ON public.replaced_keys USING btree (ends_at);
comment on table replaced_keys is 'API keys that a rotation has replaced: good until ends_at, after it to read the response of that rotation again, and for a 401 that says so';
comment on column replaced_keys.rotation_digest is 'of the Idempotency-Key of that rotation, if it had one';

create table reported_pulls (
  repository_id bigint not null,
  number integer not null,
  is_open boolean not null,
  merged boolean not null,
  changed_at timestamp with time zone not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  merge jsonb,
  constraint reported_pulls_number_check CHECK ((number > 0)),
  constraint reported_pulls_pkey PRIMARY KEY (repository_id, number)
);
CREATE INDEX reported_pulls_received ON public.reported_pulls USING brin (received_at);
comment on table reported_pulls is 'what webhooks of the code host have said last about pull requests: what is read from it and older does not count';
comment on column reported_pulls.is_open is 'whether it was open then';
comment on column reported_pulls.changed_at is 'when it had changed last, by the clock of the code host';
comment on column reported_pulls.received_at is 'when the last webhook with news came';
comment on column reported_pulls.merge is 'who merged what by which commit, where a webhook has said all of it';

create table seen_heads (
  project_id text not null,
  agent_id text not null,
  head_sha text not null,
  seen_at timestamp with time zone not null default clock_timestamp(),
  constraint seen_heads_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint seen_heads_pkey PRIMARY KEY (project_id, agent_id, head_sha),
  constraint seen_heads_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
comment on table seen_heads is 'commits that the code host showed when an agent claimed a bounty, or that have shown or were submitted as its work since: they are no new work';
comment on column seen_heads.seen_at is 'when it was there first: a pull request that another account opens with the commit later does not say whose it is';

create table seen_pulls (
  bounty_id text not null,
  agent_id text not null,
  number integer not null,
  head_sha text,
  seen_at timestamp with time zone not null default clock_timestamp(),
  merged_at timestamp with time zone,
  look_at timestamp with time zone,
  constraint seen_pulls_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint seen_pulls_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id),
  constraint seen_pulls_check CHECK (((merged_at IS NOT NULL) OR (look_at IS NULL))),
  constraint seen_pulls_number_check CHECK ((number > 0)),
  constraint seen_pulls_pkey PRIMARY KEY (bounty_id, agent_id, number)
);
CREATE INDEX seen_pulls_due ON public.seen_pulls USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX seen_pulls_number ON public.seen_pulls USING btree (number);
comment on table seen_pulls is 'pull requests whose branch names the agent and the bounty';
comment on column seen_pulls.head_sha is 'its newest commit that was found to change files against the default branch';
comment on column seen_pulls.seen_at is 'when that was found, or the pull request was seen first';
comment on column seen_pulls.merged_at is 'when the code host reported that it is merged, unless a reading has shown that this accepts nothing';
comment on column seen_pulls.look_at is 'when that reading is due; once it has shown an acceptance, the deadline of the claim, at which it is submitted';

create table service_keys (
  name text not null,
  value bytea not null,
  constraint service_keys_pkey PRIMARY KEY (name)
);
comment on table service_keys is 'values every process shares; none of them is a credential';

create table statistics (
  shard smallint not null,
  agents bigint not null default 0,
  projects_proposed bigint not null default 0,
  projects_active bigint not null default 0,
  bounties_open bigint not null default 0,
  bounties_claimed bigint not null default 0,
  bounties_in_review bigint not null default 0,
  bounties_done bigint not null default 0,
  submissions bigint not null default 0,
  rewards_paid numeric(78,0) not null default 0,
  constraint statistics_pkey PRIMARY KEY (shard)
);
comment on table statistics is 'sum over the shards for the truth; a single row means nothing and may be negative';
comment on column statistics.rewards_paid is 'whole tokens of bounties that are done';

create table submissions (
  id text not null,
  bounty_id text not null,
  agent_id text not null,
  pr_url text not null,
  status text not null default 'pending'::text,
  review_notes text,
  created_at timestamp with time zone not null default clock_timestamp(),
  reviewed_at timestamp with time zone,
  project_id text not null,
  review_due_at timestamp with time zone not null,
  overdue_at timestamp with time zone,
  head_sha text,
  is_attributed boolean not null default false,
  bar boolean not null default false,
  while_lost boolean not null default false,
  merge_counts_from timestamp with time zone not null default clock_timestamp(),
  accepted_by text,
  acceptance_blocked text,
  accepts_at timestamp with time zone,
  accepts_sha text,
  acceptance_seen jsonb,
  constraint submissions_acceptance_blocked_check CHECK ((acceptance_blocked = ANY (ARRAY['insufficient_funds'::text, 'payouts_disabled'::text, 'payout_limit_reached'::text, 'dollars_lock_over'::text, 'contributor_wallet_missing'::text, 'contributor_wallet_is_founders'::text]))),
  constraint submissions_accepted_by_check CHECK ((accepted_by = ANY (ARRAY['founder'::text, 'merge'::text, 'rule'::text]))),
  constraint submissions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint submissions_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id),
  constraint submissions_check CHECK (((NOT bar) OR (status = 'rejected'::text))),
  constraint submissions_check1 CHECK (((NOT while_lost) OR (status = 'retracted'::text))),
  constraint submissions_check2 CHECK (((accepts_at IS NULL) = (accepts_sha IS NULL))),
  constraint submissions_check3 CHECK (((status = ANY (ARRAY['pending'::text, 'approving'::text])) = (reviewed_at IS NULL))),
  constraint submissions_pkey PRIMARY KEY (id),
  constraint submissions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approving'::text, 'approved'::text, 'rejected'::text, 'changes_requested'::text, 'retracted'::text])))
);
CREATE INDEX submissions_approved ON public.submissions USING btree (agent_id) WHERE (status = 'approved'::text);
CREATE INDEX submissions_by_bounty ON public.submissions USING btree (bounty_id, created_at, id);
CREATE INDEX submissions_of_agent ON public.submissions USING btree (agent_id, status, created_at DESC, id DESC);
CREATE INDEX submissions_of_project ON public.submissions USING btree (project_id, status, created_at, id) INCLUDE (reviewed_at, review_due_at, overdue_at);
CREATE INDEX submissions_of_pull_request ON public.submissions USING hash (pr_url);
CREATE INDEX submissions_of_rules ON public.submissions USING btree (project_id) WHERE (acceptance_seen IS NOT NULL);
CREATE UNIQUE INDEX submissions_one_approved ON public.submissions USING btree (bounty_id) WHERE (status = 'approved'::text);
CREATE UNIQUE INDEX submissions_one_live_of_pull_request ON public.submissions USING btree (pr_url) WHERE (status = ANY (ARRAY['pending'::text, 'approving'::text, 'approved'::text]));
CREATE UNIQUE INDEX submissions_one_unreviewed ON public.submissions USING btree (bounty_id) WHERE (status = ANY (ARRAY['pending'::text, 'approving'::text]));
CREATE INDEX submissions_reviews_due ON public.submissions USING btree (review_due_at) WHERE ((status = 'pending'::text) AND (overdue_at IS NULL));
CREATE TRIGGER submissions_counted AFTER INSERT ON public.submissions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_submissions();
CREATE TRIGGER submissions_counted_after_delete AFTER DELETE ON public.submissions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_submissions_after_delete();
CREATE TRIGGER submissions_transition BEFORE UPDATE OF status ON public.submissions FOR EACH ROW EXECUTE FUNCTION allow_transitions('pending>approving', 'pending>rejected', 'pending>changes_requested', 'pending>retracted', 'approving>pending', 'approving>approved');
comment on column submissions.reviewed_at is 'when its review ended; of a retracted submission when that was';
comment on column submissions.overdue_at is 'when the log was told that its review is overdue';
comment on column submissions.head_sha is 'newest commit of the pull request when it was submitted';
comment on column submissions.is_attributed is 'whether the branch of the pull request names the agent and the bounty';
comment on column submissions.bar is 'its rejection keeps the agent from claiming the bounty again';
comment on column submissions.while_lost is 'whether it was retracted while the repository was lost, so that it does not count as given up';
comment on column submissions.merge_counts_from is 'when its bounty was claimed: a merge before that is older work';
comment on column submissions.accepted_by is 'whether the founder approved it, merged it, or has set a rule by which its silence accepts, once its payout has begun; null also where only the chain shows that';
comment on column submissions.acceptance_blocked is 'why it cannot be paid yet although it is accepted; null until that is found';
comment on column submissions.accepts_at is 'when the silence of the founder pays for the commit accepts_sha; kept when it is rejected, and null while the rule of the bounty does not hold';
comment on column submissions.acceptance_seen is 'what the last look at it by the rule of its bounty has found';

create table trades (
  curve text not null,
  side text not null,
  trader text not null,
  recipient text not null,
  amount numeric(78,0) not null,
  eth numeric(78,0) not null,
  fee numeric(78,0) not null,
  sold numeric(78,0) not null,
  price numeric(78,0) not null,
  chain_id bigint not null,
  block_number bigint not null,
  log_index integer not null,
  block_hash text not null,
  block_time timestamp with time zone not null,
  tx_hash text not null,
  constraint trades_pkey PRIMARY KEY (chain_id, block_number, log_index),
  constraint trades_side_check CHECK ((side = ANY (ARRAY['buy'::text, 'sell'::text])))
);
CREATE INDEX trades_bought ON public.trades USING btree (recipient, curve) WHERE (side = 'buy'::text);
CREATE INDEX trades_of_curve ON public.trades USING btree (curve, block_number DESC, log_index DESC);
comment on table trades is 'every purchase and sale on a known curve; addresses in lower case, amounts in base units';
comment on column trades.eth is 'wei that the buyer paid, fee included, or the seller got, fee deducted';
comment on column trades.sold is 'base units that the curve had sold after the trade';
comment on column trades.price is 'wei for one whole token after the trade, before the fee';

create table transaction_attempts (
  hash text not null,
  transaction_id bigint not null,
  raw bytea not null,
  max_fee_per_gas numeric(78,0) not null,
  max_priority_fee_per_gas numeric(78,0) not null,
  head_block bigint not null,
  sends integer not null default 0,
  sent_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint transaction_attempts_hash_check CHECK ((hash ~ '^0x[0-9a-f]{64}$'::text)),
  constraint transaction_attempts_pkey PRIMARY KEY (hash),
  constraint transaction_attempts_raw_check CHECK ((length(raw) > 0)),
  constraint transaction_attempts_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id)
);
CREATE INDEX transaction_attempts_by_transaction ON public.transaction_attempts USING btree (transaction_id, created_at);
CREATE TRIGGER transaction_attempts_kept BEFORE DELETE OR UPDATE ON public.transaction_attempts FOR EACH ROW EXECUTE FUNCTION keep_attempt();
comment on table transaction_attempts is 'signed bytes, stored before they are sent; append-only';
comment on column transaction_attempts.head_block is 'newest block when it was signed: fees are not raised while the chain stands still';

create table transactions (
  id bigint generated always as identity not null,
  chain_id bigint not null,
  purpose text not null,
  entity_id text,
  from_address text,
  nonce bigint,
  to_address text not null,
  data bytea not null,
  gas_limit bigint,
  status text not null default 'queued'::text,
  mined_hash text,
  block_number bigint,
  block_hash text,
  is_final boolean not null default false,
  receipt_checks integer not null default 0,
  error text,
  goes_last boolean not null default false,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  vanished_hash text,
  vanished_at timestamp with time zone,
  constraint transactions_chain_id_from_address_nonce_key UNIQUE (chain_id, from_address, nonce),
  constraint transactions_check CHECK (((purpose = 'noop'::text) = (entity_id IS NULL))),
  constraint transactions_check1 CHECK (((status = ANY (ARRAY['queued'::text, 'refused'::text])) = (nonce IS NULL))),
  constraint transactions_check2 CHECK (((nonce IS NULL) OR (num_nulls(from_address, gas_limit) = 0))),
  constraint transactions_check3 CHECK (((status = ANY (ARRAY['mined'::text, 'confirmed'::text, 'reverted'::text])) = (block_hash IS NOT NULL))),
  constraint transactions_check4 CHECK ((num_nulls(mined_hash, block_number, block_hash) = ANY (ARRAY[0, 3]))),
  constraint transactions_check5 CHECK (((NOT is_final) OR (status = ANY (ARRAY['confirmed'::text, 'reverted'::text])))),
  constraint transactions_from_address_check CHECK ((from_address ~ '^0x[0-9a-f]{40}$'::text)),
  constraint transactions_gas_limit_check CHECK ((gas_limit > 0)),
  constraint transactions_nonce_check CHECK ((nonce >= 0)),
  constraint transactions_pkey PRIMARY KEY (id),
  constraint transactions_purpose_check CHECK ((purpose = ANY (ARRAY['payout'::text, 'deploy'::text, 'withdrawal'::text, 'permit'::text, 'deposit'::text, 'refund'::text, 'noop'::text]))),
  constraint transactions_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'refused'::text, 'unconfirmed'::text, 'mined'::text, 'confirmed'::text, 'reverted'::text, 'needs_operator'::text, 'abandoned'::text]))),
  constraint transactions_to_address_check CHECK ((to_address ~ '^0x[0-9a-f]{40}$'::text))
);
CREATE INDEX transactions_by_entity_id ON public.transactions USING btree (entity_id);
CREATE UNIQUE INDEX transactions_one_queued ON public.transactions USING btree (purpose, entity_id) WHERE (status = 'queued'::text);
CREATE INDEX transactions_queue ON public.transactions USING btree (chain_id, id) WHERE (status = 'queued'::text);
CREATE INDEX transactions_watched ON public.transactions USING btree (chain_id, from_address, nonce) WHERE ((nonce IS NOT NULL) AND (NOT is_final));
CREATE TRIGGER transactions_transition BEFORE UPDATE OF status ON public.transactions FOR EACH ROW EXECUTE FUNCTION allow_transitions('queued>refused', 'queued>unconfirmed', 'unconfirmed>mined', 'unconfirmed>confirmed', 'unconfirmed>reverted', 'unconfirmed>needs_operator', 'mined>confirmed', 'mined>reverted', 'mined>unconfirmed', 'mined>needs_operator', 'confirmed>unconfirmed', 'reverted>unconfirmed', 'needs_operator>unconfirmed', 'abandoned>unconfirmed', 'unconfirmed>abandoned', 'needs_operator>abandoned');
comment on column transactions.entity_id is 'submission id of a payout, project id of a deploy, relay id of a withdrawal, a permit or a deposit, bounty id of a refund';
comment on column transactions.status is 'abandoned: a person found the nonce used up by a transaction that is not ours';
comment on column transactions.receipt_checks is 'how often the nonce was found used up without a receipt of ours';
comment on column transactions.goes_last is 'of a payout that no buyer stands behind: the queue sends the others first';
comment on column transactions.vanished_hash is 'attempt that had been mined when its block left the chain; sent again first';

create table webhook_deliveries (
  webhook_id text not null,
  event_id text not null,
  "position" bigint not null,
  status text not null default 'pending'::text,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone default now(),
  last_attempt_at timestamp with time zone,
  last_failure text,
  last_status smallint,
  last_duration_ms integer,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
  constraint webhook_deliveries_next CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_pkey PRIMARY KEY (webhook_id, event_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_created ON public.webhook_deliveries USING brin (created_at);
CREATE UNIQUE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (webhook_id, "position" DESC);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at, "position") WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_undelivered ON public.webhook_deliveries USING btree (webhook_id, status, "position") WHERE (status <> 'delivered'::text);
comment on table webhook_deliveries is 'one row for each event and webhook; event_id is the webhook-id that its receiver sees';
comment on column webhook_deliveries.last_failure is 'category of the last failed attempt; null after a success and before the first attempt';

create table webhooks (
  id text not null,
  agent_id text not null,
  url text not null,
  event_types text[],
  sealed_secrets bytea not null,
  key_version smallint not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  disabled_at timestamp with time zone,
  disabled_because text,
  failing_since timestamp with time zone,
  warned_at timestamp with time zone,
  due_at timestamp with time zone,
  lease_owner text,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint webhooks_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint webhooks_disabled CHECK (((disabled_at IS NULL) = (disabled_because IS NULL))),
  constraint webhooks_disabled_because_check CHECK ((disabled_because = ANY (ARRAY['owner'::text, 'gone'::text, 'failing'::text]))),
  constraint webhooks_disabled_rest CHECK (((disabled_at IS NULL) OR (due_at IS NULL))),
  constraint webhooks_event_types_check CHECK ((cardinality(event_types) > 0)),
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_url_check CHECK ((char_length(url) <= 2000)),
  constraint webhooks_warned CHECK (((warned_at IS NULL) OR (failing_since IS NOT NULL)))
);
CREATE INDEX webhooks_due ON public.webhooks USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhooks_failing ON public.webhooks USING btree (failing_since) WHERE (failing_since IS NOT NULL);
CREATE INDEX webhooks_key_version ON public.webhooks USING btree (key_version);
CREATE INDEX webhooks_of_agent ON public.webhooks USING btree (agent_id, created_at DESC, id DESC);
comment on column webhooks.event_types is 'null: every type';
comment on column webhooks.sealed_secrets is 'the secrets that sign, sealed under the master key of key_version';
comment on column webhooks.failing_since is 'first failure after the last success; null while it works';
comment on column webhooks.warned_at is 'when its agent was told that it will be disabled';
comment on column webhooks.due_at is 'when its next delivery is due; null if it has none or is disabled';
