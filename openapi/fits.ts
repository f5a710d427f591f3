import { resolve } from './references.ts'
import type { Document, Json, Schema } from './types.ts'

/** A schema of one of two documents. */
export interface Part {
  document: Document
  schema: Schema
}

/** What the comparison is of: requests, where clients send, or responses, where they read. */
export type Direction = 'request' | 'response'

/**
 * Why not every value that `narrow` allows is allowed by `wide`, a line each. Of requests `narrow` is the earlier schema, of
 * responses the later one. New fields break nobody, and fields that are gone do, in both directions.
 */
export function misfits(narrow: Part, wide: Part, direction: Direction, path: string): string[] {
  const from = { ...narrow, schema: whole(narrow) }
  const to = { ...wide, schema: whole(wide) }
  const parts = choicesOf(from.schema)
  const choices = choicesOf(to.schema)
  if (parts.length + choices.length > 2)
    return parts.flatMap((part) => {
      const found = choices.map((choice) =>
        misfits({ ...from, schema: part }, { ...to, schema: choice }, direction, path),
      )
      if (found.some((problems) => problems.length === 0)) return []
      // Variants are matched by name, so the problems are those with the choice of the same name.
      const namesake = choices.findIndex((choice) => choice.$ref !== undefined && choice.$ref === part.$ref)
      return found[namesake] ?? [`${path}: ${part.$ref ?? JSON.stringify(part)} is none of the choices`]
    })
  return [
    ...valueMisfits(from.schema, to.schema, path),
    ...(direction === 'request' ? limitMisfits(from.schema, to.schema, path) : []),
    ...memberMisfits(from, to, direction, path),
  ]
}

/** The schema itself in place of a reference, and the object that all parts of an `allOf` describe together. */
export function whole({ document, schema }: Part): Schema {
  const { allOf, ...own } = resolve(document, schema)
  if (!allOf) return own
  const parts = allOf.map((part) => whole({ document, schema: part }))
  return {
    ...Object.assign({}, ...parts, own),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** The alternatives that a schema consists of: those it names, or one for each type. */
function choicesOf(schema: Schema): Schema[] {
  const { type } = schema
  return (
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema])
  )
}

function valueMisfits(narrow: Schema, wide: Schema, path: string): string[] {
  const isType =
    wide.type === undefined ||
    wide.type === narrow.type ||
    (wide.type === 'number' && narrow.type === 'integer')
  if (!isType) return [`${path}: ${narrow.type} is not ${wide.type}`]
  const own = valuesOf(narrow)
  const allowed = valuesOf(wide)
  const excluded = wide.not?.enum ?? []
  if (own)
    return own
      .filter((value) => allowed?.includes(value) === false || excluded.includes(value))
      .map((value) => `${path}: ${value} is not allowed`)
  const isFree = excluded.some((value) => !narrow.not?.enum?.includes(value))
  return allowed || isFree ? [`${path}: other values are not allowed`] : []
}

function valuesOf(schema: Schema): Json[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
}

function limitMisfits(narrow: Schema, wide: Schema, path: string): string[] {
  const most = (name: 'maxLength' | 'maximum' | 'maxItems') =>
    (narrow[name] ?? Infinity) > (wide[name] ?? Infinity)
  const least = (name: 'minLength' | 'minimum' | 'minItems') =>
    (narrow[name] ?? -Infinity) < (wide[name] ?? -Infinity)
  const isTighter =
    most('maxLength') ||
    most('maximum') ||
    most('maxItems') ||
    least('minLength') ||
    least('minimum') ||
    least('minItems')
  const isOther = wide.pattern !== undefined && wide.pattern !== narrow.pattern
  return isTighter || isOther ? [`${path}: the limits are tighter`] : []
}

function memberMisfits(narrow: Part, wide: Part, direction: Direction, path: string): string[] {
  const own = narrow.schema.properties ?? {}
  const other = wide.schema.properties ?? {}
  const [before, after] = direction === 'request' ? [own, other] : [other, own]
  const required = wide.schema.required?.filter((name) => !narrow.schema.required?.includes(name)) ?? []
  const items = narrow.schema.items && wide.schema.items
  return [
    ...Object.keys(before)
      .filter((name) => !after[name])
      .map((name) => `${path}.${name} is gone`),
    ...required
      .filter((name) => after[name])
      .map((name) => `${path}.${name} is ${direction === 'request' ? 'required' : 'optional'}`),
    ...Object.entries(own).flatMap(([name, schema]) => {
      const target = other[name]
      return target
        ? misfits({ ...narrow, schema }, { ...wide, schema: target }, direction, `${path}.${name}`)
        : []
    }),
    ...(items
      ? misfits(
          { ...narrow, schema: narrow.schema.items ?? {} },
          { ...wide, schema: items },
          direction,
          `${path}[]`,
        )
      : []),
  ]
}
