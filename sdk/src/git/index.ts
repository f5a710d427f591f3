export { type Account, commit, type LogInOptions, logIn } from './account.ts'
export { type DeliverOptions, deliver, type Work } from './deliver.ts'
export { readDiff } from './diff.ts'
