import fc from 'fast-check'

// Random values are equal in every run of `npm test`. The long tests use a new seed each time and report it on failure.
fc.configureGlobal({ seed: 1 })
