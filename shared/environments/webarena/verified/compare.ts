import { NormalValue } from './normal-value.ts'
import type { Normal } from './normalize.ts'

export interface CompareRules {
  isOrdered?: boolean
  mayHaveMore?: boolean
}

type Found = Record<string, Normal>

export function differences(
  actual: Normal,
  expected: Normal,
  at: string,
  rules: CompareRules = {},
): string[] {
  if (isNothing(actual) && isNothing(expected)) return []
  if (isNothing(actual) || isNothing(expected))
    return [`${at} is ${shown(actual)}, expected ${shown(expected)}`]
  if (expected instanceof NormalValue) return said(expected.equals(actual), actual, expected, at)
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${at} is no list`]
    return rules.isOrdered ? inOrder(actual, expected, at, rules) : inAnyOrder(actual, expected, at, rules)
  }
  if (isRecord(expected)) {
    return isRecord(actual) ? ofKeys(actual, expected, at, rules) : [`${at} is no object`]
  }
  return said(isSamePrimitive(actual, expected), actual, expected, at)
}

function ofKeys(actual: Found, expected: Found, at: string, rules: CompareRules): string[] {
  const missing = Object.keys(expected).filter((key) => !Object.hasOwn(actual, key))
  const more = rules.mayHaveMore ? [] : Object.keys(actual).filter((key) => !Object.hasOwn(expected, key))
  const both = Object.keys(expected).filter((key) => Object.hasOwn(actual, key))
  return [
    ...missing.map((key) => `${at}.${key} is missing`),
    ...more.map((key) => `${at}.${key} is one too many`),
    ...both.flatMap((key) => differences(actual[key], expected[key], `${at}.${key}`, rules)),
  ]
}

function inOrder(
  actual: readonly Normal[],
  expected: readonly Normal[],
  at: string,
  rules: CompareRules,
): string[] {
  const found = expected
    .slice(0, actual.length)
    .flatMap((each, index) => differences(actual[index], each, `${at}[${index}]`, rules))
  return actual.length === expected.length ? found : [...found, ofLength(actual, expected, at)]
}

function inAnyOrder(
  actual: readonly Normal[],
  expected: readonly Normal[],
  at: string,
  rules: CompareRules,
): string[] {
  const left = [...actual]
  const missing = expected.filter((each) => {
    const index = left.findIndex((one) => differences(one, each, at, rules).length === 0)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  if (missing.length === 0 && left.length === 0) return []
  return [`${at} lacks ${shown(missing)} and has ${shown(left)} besides`]
}

function ofLength(actual: readonly Normal[], expected: readonly Normal[], at: string): string {
  return `${at} has ${actual.length} values, expected ${expected.length}`
}

function said(isSame: boolean, actual: Normal, expected: Normal, at: string): string[] {
  return isSame ? [] : [`${at} is ${shown(actual)}, expected ${shown(expected)}`]
}

function isSamePrimitive(actual: Normal, expected: Normal): boolean {
  if (actual instanceof NormalValue) return actual.equals(expected)
  const numeric = (value: Normal) => (typeof value === 'boolean' ? Number(value) : value)
  return numeric(actual) === numeric(expected)
}

const isNothing = (value: Normal) => value === null || value === undefined

function isRecord(value: Normal): value is Found {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NormalValue)
  )
}

const longestShown = 200

function shown(value: Normal): string {
  const text =
    JSON.stringify(value, (_, each) => (each instanceof NormalValue ? each.alternatives : each)) ?? 'nothing'
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
