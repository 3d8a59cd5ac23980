import { expect, test } from 'vitest'
import { isLostPart } from '../../../web/shell/page-error.tsx'

test.each([
  'Unable to preload CSS for /assets/compare-page-x.css',
  'Failed to fetch dynamically imported module: http://host/assets/compare-page-x.js',
  'error loading dynamically imported module: http://host/assets/compare-page-x.js',
  'Importing a module script failed.',
  "'text/html' is not a valid JavaScript MIME type.",
])('a part of a page is lost where a browser says "%s"', (message) => {
  expect(isLostPart(new TypeError(message))).toBe(true)
})

test('a bug is no lost part', () => {
  expect(isLostPart(new TypeError("Cannot read properties of undefined (reading 'id')"))).toBe(false)
  expect(isLostPart('Unable to preload CSS')).toBe(false)
})
