import { type Drawing, goods } from './goods.ts'
import { nature } from './nature.ts'
import { backgroundOf, shadesOf } from './palette.ts'

const line = '#30343a'
const wood = '#9c6b3f'

const belongings: Readonly<Record<string, Drawing>> = {
  guitar: ({ main, dark }) =>
    `<g transform="rotate(40 50 50)"><rect x="46" y="0" width="8" height="50" fill="${wood}"/><rect x="43" y="-6" width="14" height="12" fill="${line}"/><circle cx="50" cy="52" r="17" fill="${main}"/><circle cx="50" cy="76" r="23" fill="${main}"/><circle cx="50" cy="62" r="8" fill="${dark}"/><rect x="40" y="80" width="20" height="5" fill="${dark}"/></g>`,
  drum: ({ main, dark }) =>
    `<path d="M14 36 V74 Q50 94 86 74 V36 Z" fill="${main}"/><ellipse cx="50" cy="36" rx="36" ry="14" fill="#f6f1e4" stroke="${dark}" stroke-width="4"/><path d="M30 52 L40 82 L50 54 L60 82 L70 52" fill="none" stroke="${dark}" stroke-width="3"/>`,
  headphones: ({ main, dark }) =>
    `<path d="M18 60 Q18 16 50 16 Q82 16 82 60" fill="none" stroke="${dark}" stroke-width="7"/><rect x="10" y="54" width="20" height="32" rx="8" fill="${main}"/><rect x="70" y="54" width="20" height="32" rx="8" fill="${main}"/>`,
  camera: ({ main, dark }) =>
    `<rect x="34" y="18" width="32" height="16" rx="4" fill="${dark}"/><rect x="8" y="28" width="84" height="54" rx="8" fill="${main}"/><circle cx="50" cy="55" r="20" fill="${line}"/><circle cx="50" cy="55" r="12" fill="#7fb2d9"/><circle cx="80" cy="38" r="4" fill="#fbf0bd"/>`,
  laptop: ({ main, dark }) =>
    `<rect x="18" y="18" width="64" height="46" rx="4" fill="${dark}"/><rect x="23" y="23" width="54" height="36" fill="#bfe0ee"/><path d="M6 80 L18 64 L82 64 L94 80 Z" fill="${main}"/>`,
  telephone: ({ main, dark }) =>
    `<rect x="28" y="6" width="44" height="88" rx="8" fill="${main}"/><rect x="33" y="16" width="34" height="62" fill="#cfe8f2"/><circle cx="50" cy="86" r="4" fill="${dark}"/>`,
  notebook: ({ main, dark }) =>
    `<rect x="20" y="10" width="62" height="80" rx="4" fill="${main}"/><rect x="20" y="10" width="12" height="80" fill="${dark}"/><rect x="42" y="26" width="30" height="16" fill="#fbfaf5"/><path d="M47 34 H67" stroke="${line}" stroke-width="3"/>`,
  pencil: ({ main, dark }) =>
    `<g transform="rotate(-40 50 50)"><rect x="8" y="42" width="66" height="16" fill="${main}"/><rect x="2" y="42" width="10" height="16" fill="${dark}"/><path d="M74 42 L94 50 L74 58 Z" fill="#edd2a0"/><path d="M87 47 L94 50 L87 53 Z" fill="${line}"/></g>`,
  shirt: ({ main, dark }) =>
    `<path d="M34 14 L10 30 L20 48 L28 42 L28 88 L72 88 L72 42 L80 48 L90 30 L66 14 Q50 28 34 14 Z" fill="${main}"/><path d="M34 14 Q50 28 66 14" fill="none" stroke="${dark}" stroke-width="4"/>`,
  hat: ({ main, dark }) =>
    `<ellipse cx="50" cy="70" rx="44" ry="12" fill="${dark}"/><path d="M26 68 Q24 26 50 26 Q76 26 74 68 Z" fill="${main}"/><path d="M26 62 Q50 74 74 62" fill="none" stroke="#fbfaf5" stroke-width="6"/>`,
  boot: ({ main, dark }) =>
    `<path d="M30 10 L58 10 L58 54 Q88 56 88 78 L30 78 Z" fill="${main}"/><rect x="28" y="78" width="62" height="9" rx="3" fill="${dark}"/><path d="M44 24 H58 M44 36 H58 M46 48 H60" stroke="#fbfaf5" stroke-width="3"/>`,
  ball: ({ main, dark, light }) =>
    `<circle cx="50" cy="50" r="38" fill="${main}"/><path d="M14 40 Q50 60 86 40 M50 12 Q30 50 50 88" fill="none" stroke="${dark}" stroke-width="3"/><circle cx="36" cy="32" r="7" fill="${light}"/>`,
  kite: ({ main, dark, light }) =>
    `<path d="M50 6 L78 38 L50 78 L22 38 Z" fill="${main}"/><path d="M50 6 L50 78 M22 38 L78 38" stroke="${dark}" stroke-width="2"/><path d="M50 78 Q60 84 52 90 Q44 94 54 98" fill="none" stroke="${dark}" stroke-width="3"/><path d="M50 6 L78 38 L50 38 Z" fill="${light}"/>`,
  robot: ({ main, dark, light }) =>
    `<path d="M50 6 V18" stroke="${line}" stroke-width="3"/><circle cx="50" cy="6" r="4" fill="${dark}"/><rect x="30" y="16" width="40" height="30" rx="5" fill="${main}"/><circle cx="41" cy="30" r="5" fill="${light}"/><circle cx="59" cy="30" r="5" fill="${light}"/><rect x="24" y="50" width="52" height="36" rx="5" fill="${dark}"/><path d="M16 54 V78 M84 54 V78" stroke="${main}" stroke-width="8"/><path d="M38 86 V96 M62 86 V96" stroke="${main}" stroke-width="8"/>`,
  train: ({ main, dark }) =>
    `<rect x="10" y="38" width="54" height="32" rx="5" fill="${main}"/><rect x="58" y="18" width="30" height="52" rx="3" fill="${dark}"/><rect x="65" y="26" width="16" height="15" fill="#cfe8f2"/><rect x="20" y="22" width="10" height="16" fill="${dark}"/><circle cx="24" cy="76" r="10" fill="${line}"/><circle cx="48" cy="76" r="10" fill="${line}"/><circle cx="74" cy="76" r="10" fill="${line}"/>`,
  dice: ({ main, light }) =>
    `<rect x="16" y="16" width="68" height="68" rx="12" fill="${main}"/><circle cx="34" cy="34" r="6" fill="${light}"/><circle cx="66" cy="34" r="6" fill="${light}"/><circle cx="50" cy="50" r="6" fill="${light}"/><circle cx="34" cy="66" r="6" fill="${light}"/><circle cx="66" cy="66" r="6" fill="${light}"/>`,
}

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
