import { expect, test } from 'vitest'
import { matchesUrl } from '../../../../shared/environments/browser/evaluation/evaluate-task.ts'

const shop = 'http://shop.example:7770'

test.each([
  ['a slash at the end does not count', `${shop}/a/`, `${shop}/a`, true],
  ['localhost is 127.0.0.1', 'http://localhost:1/a', 'http://127.0.0.1:1/a', true],
  ['a query counts', `${shop}/a`, `${shop}/a?b=1`, false],
  ['one of several references is enough', `http://other |OR| ${shop}/a`, `${shop}/a`, true],
])('VisualWebArena compares whole addresses: %s', (_name, reference, address, holds) => {
  expect(matchesUrl(reference, address, { benchmark: 'visualwebarena' })).toBe(holds)
})

test.each([
  ['further fields do not count', `${shop}/search?q=lamp`, `${shop}/search?page=2&q=lamp`, true],
  ['a field of the reference has to be there', `${shop}/search?q=lamp`, `${shop}/search`, false],
  ['its value has to be one of the references', `${shop}/s?q=a |OR| ${shop}/s?q=b`, `${shop}/s?q=b`, true],
  ['another value is none', `${shop}/s?q=a |OR| ${shop}/s?q=b`, `${shop}/s?q=c`, false],
  ['a longer path has the reference in it', `${shop}/a`, `${shop}/a/b`, true],
  ['another host has not', `${shop}/a`, 'http://forum.example/a', false],
])('WebArena looks for what the reference has: %s', (_name, reference, address, holds) => {
  expect(matchesUrl(reference, address, { benchmark: 'webarena' })).toBe(holds)
  expect(matchesUrl(reference, address, { benchmark: 'visualwebarena', rule: 'GOLD in PRED' })).toBe(holds)
})
