import { expect, test } from 'vitest'
import { likenessOfScreens } from '../../../containers/desktop/compare-screens.ts'
import { accessibilityColumns } from '../../../shared/environments/osworld/observations/accessibility-table.ts'
import { describeDesktop } from '../../../shared/environments/osworld/observations/desktop-observation.ts'

const screen = (...rows: string[]) =>
  describeDesktop({ instruction: 'Go on.', table: [accessibilityColumns, ...rows].join('\n') })

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

test('without a table nothing is known of the screen, and nothing differs', () => {
  expect(likenessOfScreens(describeDesktop({ instruction: 'Go on.' }), screen('a'))).toBe(1)
})
