/**
 * A value that this version of the package does not list, because a newer service has added it. At run time it is an
 * ordinary string. For the compiler it is an enum, so that it differs from the listed values.
 */
export declare enum Unlisted {
  value = '',
}
