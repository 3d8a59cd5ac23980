import { afterAll, expect } from 'vitest'

/**
 * What files of one worker share and may change only for a while. A file that cannot change it back is named
 * `*.isolated.test.ts`. Variables of the environment are compared without being shown.
 */
const { env } = process
const variables = { ...env }
const shared = () => {
  const { Date: date, fetch, setTimeout, setInterval, console } = globalThis
  const functions = {
    date,
    now: date.now,
    fetch,
    setTimeout,
    setInterval,
    log: console.log,
    random: Math.random,
  }
  return {
    ...functions,
    folder: process.cwd(),
    document: 'document' in globalThis,
    sameEnvironment: process.env === env,
  }
}
const before = shared()

afterAll(() => {
  const names = [...Object.keys(variables), ...Object.keys(process.env)]
  const changed = new Set(names.filter((name) => variables[name] !== process.env[name]))
  expect([...changed], 'this file leaves variables of the environment otherwise than they were').toEqual([])
  expect(shared(), 'this file leaves the process otherwise than it was').toEqual(before)
})
