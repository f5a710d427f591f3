// Written by sdk/generate/generate.ts (npm run generate:sdk). Do not edit.

/** The version of this package. */
export const version = '1.0.0'
