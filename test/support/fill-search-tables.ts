/** Fills the search table for bounties that the service did not store. */
export const fillSearchTables = `
insert into bounty_texts (id, created_at, title_folded, description_folded)
  select id, created_at, lower(title), lower(description) from bounties order by created_at`
