/** The founder approves, or merges at the code host. */
export type AcceptedBy = 'founder' | 'merge'
