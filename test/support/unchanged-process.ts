import { afterAll, expect } from 'vitest'

/** What files of one worker share and may change only for a while. A file that cannot is named `*.isolated.test.ts`. */
function sharedState() {
  const { Date: date, fetch, setTimeout, setInterval, console } = globalThis
  const { now } = date
  const named = { date, now, fetch, setTimeout, setInterval, log: console.log, random: Math.random }
  return {
    ...named,
    environment: { ...process.env },
    folder: process.cwd(),
    document: 'document' in globalThis,
  }
}

const before = sharedState()
afterAll(() => expect(sharedState(), 'this file leaves the process otherwise than it was').toEqual(before))
