declare const unlisted: unique symbol

/**
 * A value that this version of the package does not list, because a newer service has added it. It is an ordinary
 * string. The mark exists for the compiler alone, which otherwise could not tell it from the listed values.
 */
export type Unlisted = string & { readonly [unlisted]: true }
