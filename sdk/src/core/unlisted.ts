/**
 * A value that this version of the package does not list, because a newer service has added it. It is an ordinary
 * string. Only the compiler sees an enum, and so can tell it from the listed values; none exists at run time.
 */
export declare enum Unlisted {
  value = '',
}
