import fc from 'fast-check'

// What is random in `npm test` is the same in every run. The long tests draw anew and tell the seed of what failed.
fc.configureGlobal({ seed: 1 })
