/** Fills the search tables for bounties and projects that were inserted without triggers. */
export const fillSearchTables = `
insert into text_grams (id, grams) select id, text_grams(title) || text_grams(description) from bounties
  union all select id, text_grams(name) || text_grams(description) from projects;
insert into bounty_texts (id, created_at, title_folded, description_folded)
  select id, created_at, lower(title), lower(description) from bounties order by created_at`
