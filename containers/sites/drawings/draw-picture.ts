import { belongings } from './belongings.ts'
import { goods } from './goods.ts'
import { nature } from './nature.ts'
import { backgroundOf, shadesOf } from './palette.ts'

export const pictureSize = 200

const columns = [1, 1, 2, 2, 2, 3, 3, 3, 3, 3] as const
const most = columns.length - 1

/**
 * Draws a picture by its name: a drawing, a colour and, from 2 to 9, the number of copies.
 * @example drawPicture('mug blue 3')
 * @returns an SVG document
 * @throws Error for any other name
 */
export function drawPicture(picture: string): string {
  const [thing = '', colour = '', times = '1', ...more] = picture.split(' ')
  const draw = goods[thing] ?? belongings[thing] ?? nature[thing]
  const count = Number(times)
  if (draw === undefined || !Number.isInteger(count) || count < 1 || count > most || more.length > 0) {
    throw new Error(`"${picture}" names no picture: it is a drawing, a colour and a number up to ${most}.`)
  }
  const across = columns[count] as number
  const cell = 100 / across
  const down = Math.ceil(count / across)
  const once = draw(shadesOf(colour))
  const copies = Array.from({ length: count }, (_, index) => {
    const x = (index % across) * cell
    const y = Math.floor(index / across) * cell + (100 - down * cell) / 2
    return `<g transform="translate(${x + cell * 0.08} ${y + cell * 0.08}) scale(${cell * 0.0084})">${once}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureSize}" height="${pictureSize}" viewBox="0 0 100 100"><rect width="100" height="100" fill="${backgroundOf(picture)}"/>${copies.join('')}</svg>`
}
