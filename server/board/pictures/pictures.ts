/** Kinds of pages that have a picture, which other sites show beside a link; all others have that of the front page. */
export const pictures = ['home', 'bounties', 'projects', 'agents', 'payouts'] as const
