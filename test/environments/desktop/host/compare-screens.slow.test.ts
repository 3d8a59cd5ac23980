import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { compareScreens, sketchScreen } from '../../../../shared/environments/desktop/host/compare-screens.ts'
import { accessibilityColumns } from '../../../../shared/environments/osworld/observations/accessibility-table.ts'
import { describeDesktop } from '../../../../shared/environments/osworld/observations/desktop-observation.ts'

const likenessOfScreens = (...screens: Parameters<typeof compareScreens>) =>
  compareScreens(...screens).likeness
const withoutTable = describeDesktop({ instruction: 'Go on.' })
const screen = (...rows: string[]) => ({
  observation: describeDesktop({ instruction: 'Go on.', table: [accessibilityColumns, ...rows].join('\n') }),
})

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** A grey screenshot with black boxes on it, as an agent is shown it without a table. */
function picture(boxes: readonly Box[], { width = 1920, height = 1080 } = {}) {
  const png = new PNG({ width, height })
  png.data.fill(0xc0)
  for (const box of boxes) {
    for (let row = box.top; row < box.top + box.height; row += 1) {
      png.data.fill(0, 4 * (row * width + box.left), 4 * (row * width + box.left + box.width))
    }
  }
  return { observation: withoutTable, screen: sketchScreen(PNG.sync.write(png)) }
}

test('screens are alike where only a clock went on, or rows changed places', () => {
  const before = screen('text\tclock\tThu 26 Nov, 10:45', 'menu\tFile')
  expect(likenessOfScreens(before, screen('text\tclock\tFri 27 Nov, 9:07:12 AM', 'menu\tFile'))).toBe(1)
  expect(likenessOfScreens(before, screen('menu\tFile', 'text\tclock\tThu 26 Nov, 10:45'))).toBe(1)
})

test('the likeness falls with each row that differs, repeated rows counted', () => {
  const before = screen('a', 'b', 'c')
  expect(likenessOfScreens(before, screen('a', 'b', 'd'))).toBe(0.75)
  expect(likenessOfScreens(before, screen())).toBe(0.4)
  expect(likenessOfScreens(screen('a', 'a', 'a'), screen('a', 'x', 'y'))).toBe(0.5)
  expect(likenessOfScreens(screen('table-cell\tA1\t12.5'), screen('table-cell\tA1\t12.6'))).toBe(0.5)
})

test('without tables, the likeness falls with each part of the picture that differs', () => {
  const left = { left: 0, top: 0, width: 960, height: 1080 }
  expect(likenessOfScreens(picture([]), picture([]))).toBe(1)
  expect(likenessOfScreens(picture([]), picture([left]))).toBe(0.5)
  expect(likenessOfScreens(picture([left]), picture([{ ...left, height: 540 }]))).toBe(0.75)
})

test('a cursor elsewhere and a clock that went on are few cells of a picture at most', () => {
  const cursor = { left: 500, top: 500, width: 12, height: 20 }
  const clock = { left: 1800, top: 0, width: 100, height: 24 }
  const compared = compareScreens(picture([cursor]), picture([{ ...cursor, left: 100 }, clock]))
  expect(compared).toMatchObject({ of: 'cells', isSame: true })
  expect(compared.likeness).toBeGreaterThan(0.99)
})

test('a screen of another size is sketched alike, whatever its number of pixels', () => {
  const small = picture([{ left: 0, top: 0, width: 401, height: 601 }], { width: 802, height: 601 })
  expect(likenessOfScreens(small, picture([{ left: 0, top: 0, width: 960, height: 1080 }]))).toBeGreaterThan(
    0.95,
  )
})

test('where neither tables nor sketches can be compared, nothing is known of the screens, and nothing differs', () => {
  const nothing = { of: null, likeness: 1, isSame: true }
  expect(compareScreens({ observation: withoutTable }, screen('a'))).toEqual(nothing)
  expect(compareScreens({ observation: withoutTable }, picture([]))).toEqual(nothing)
})

test('screens are the same from 80 of 100 rows on, and from 95 of 100 cells on', () => {
  const rows = screen('a', 'b', 'c', 'd')
  expect(compareScreens(rows, screen('a', 'b', 'c', 'e'))).toEqual({
    of: 'rows',
    likeness: 0.8,
    isSame: true,
  })
  expect(compareScreens(rows, screen('a', 'b', 'e', 'f')).isSame).toBe(false)
  const band = { left: 0, top: 0, width: 1920, height: 90 }
  expect(compareScreens(picture([]), picture([{ ...band, width: 900 }])).isSame).toBe(true)
  expect(compareScreens(picture([]), picture([band])).isSame).toBe(false)
})
