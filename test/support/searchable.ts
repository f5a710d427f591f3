/** SQL that makes bounties searchable which were not stored by the service. */
export const storeBountyTexts = `
insert into bounty_texts (id, created_at, title_folded, description_folded)
  select id, created_at, lower(title), lower(description) from bounties order by created_at`
