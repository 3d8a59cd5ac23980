import type { Shades } from './palette.ts'

export type Drawing = (shades: Shades) => string

const wheel = (x: number, y: number, r: number) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="#30343a" stroke-width="4"/><circle cx="${x}" cy="${y}" r="2.5" fill="#30343a"/>`
const wood = '#9c6b3f'
const steel = '#9aa5ad'

export const goods: Readonly<Record<string, Drawing>> = {
  bicycle: ({ main }) =>
    `${wheel(24, 66, 19)}${wheel(76, 66, 19)}<path d="M24 66 L42 66 L34 38 L66 38 L42 66 M66 38 L76 66 M34 38 L24 66 M66 38 L63 28 L72 26" fill="none" stroke="${main}" stroke-width="4.5" stroke-linejoin="round"/><path d="M27 34 L40 34" stroke="#30343a" stroke-width="5" stroke-linecap="round"/><circle cx="42" cy="66" r="5" fill="${steel}"/>`,
  scooter: ({ main, dark }) =>
    `${wheel(24, 78, 9)}${wheel(80, 78, 9)}<path d="M26 70 L64 70 L80 78" fill="none" stroke="${main}" stroke-width="8" stroke-linejoin="round"/><path d="M70 70 L62 18" stroke="${dark}" stroke-width="5"/><path d="M50 20 L74 16" stroke="#30343a" stroke-width="5" stroke-linecap="round"/>`,
  van: ({ main, light }) =>
    `<path d="M8 70 L8 34 Q8 28 14 28 L68 28 L88 48 L92 52 L92 70 Z" fill="${main}"/><path d="M64 34 L68 34 L80 48 L64 48 Z" fill="${light}"/><rect x="16" y="34" width="18" height="14" fill="${light}"/><rect x="40" y="34" width="18" height="14" fill="${light}"/>${wheel(28, 72, 9)}${wheel(74, 72, 9)}`,
  canoe: ({ main, dark }) =>
    `<path d="M4 46 Q50 66 96 46 Q88 78 50 78 Q12 78 4 46 Z" fill="${main}"/><path d="M4 46 Q50 66 96 46" fill="none" stroke="${dark}" stroke-width="3"/><path d="M70 22 L34 84" stroke="${wood}" stroke-width="4"/><ellipse cx="72" cy="19" rx="5" ry="9" fill="${wood}" transform="rotate(30 72 19)"/>`,
  chair: ({ main, dark }) =>
    `<rect x="28" y="12" width="44" height="40" rx="4" fill="${main}"/><rect x="24" y="52" width="52" height="10" rx="3" fill="${dark}"/><path d="M29 62 L26 92 M71 62 L74 92" stroke="${wood}" stroke-width="6"/>`,
  armchair: ({ main, dark }) =>
    `<rect x="20" y="20" width="60" height="46" rx="12" fill="${main}"/><rect x="10" y="40" width="18" height="40" rx="8" fill="${dark}"/><rect x="72" y="40" width="18" height="40" rx="8" fill="${dark}"/><rect x="24" y="54" width="52" height="24" rx="5" fill="${main}" stroke="${dark}" stroke-width="2"/><path d="M20 80 L20 90 M80 80 L80 90" stroke="${wood}" stroke-width="6"/>`,
  sofa: ({ main, dark }) =>
    `<rect x="10" y="28" width="80" height="34" rx="8" fill="${main}"/><rect x="4" y="42" width="14" height="34" rx="6" fill="${dark}"/><rect x="82" y="42" width="14" height="34" rx="6" fill="${dark}"/><rect x="18" y="54" width="31" height="20" rx="4" fill="${main}" stroke="${dark}" stroke-width="2"/><rect x="51" y="54" width="31" height="20" rx="4" fill="${main}" stroke="${dark}" stroke-width="2"/><path d="M14 76 L14 84 M86 76 L86 84" stroke="${wood}" stroke-width="5"/>`,
  table: ({ main, dark }) =>
    `<rect x="6" y="34" width="88" height="10" rx="2" fill="${main}"/><path d="M16 44 L12 86 M84 44 L88 86" stroke="${dark}" stroke-width="7"/>`,
  bookcase: ({ main, dark }) =>
    `<rect x="18" y="8" width="64" height="84" fill="${dark}"/><rect x="23" y="13" width="54" height="21" fill="${main}"/><rect x="23" y="39" width="54" height="21" fill="${main}"/><rect x="23" y="65" width="54" height="22" fill="${main}"/><path d="M28 34 V18 M36 34 V20 M43 34 V16 M52 60 V44 M60 60 V42 M68 60 V46 M29 87 V70 M38 87 V72" stroke="#f0d9a8" stroke-width="5"/>`,
  lamp: ({ main, dark }) =>
    `<path d="M34 14 L66 14 L80 48 L20 48 Z" fill="${main}"/><path d="M20 48 L80 48" stroke="${dark}" stroke-width="3"/><rect x="47" y="48" width="6" height="34" fill="${steel}"/><ellipse cx="50" cy="85" rx="20" ry="6" fill="${dark}"/>`,
  clock: ({ main }) =>
    `<circle cx="50" cy="50" r="40" fill="${main}"/><circle cx="50" cy="50" r="32" fill="#fbfaf5"/><path d="M50 50 L50 26 M50 50 L66 58" stroke="#30343a" stroke-width="4" stroke-linecap="round"/><path d="M50 20 V24 M50 76 V80 M20 50 H24 M76 50 H80" stroke="#30343a" stroke-width="3"/>`,
  mug: ({ main, dark }) =>
    `<path d="M70 38 Q92 38 88 58 Q84 72 68 68" fill="none" stroke="${dark}" stroke-width="7"/><path d="M20 26 L72 26 L68 84 Q46 90 24 84 Z" fill="${main}"/><ellipse cx="46" cy="26" rx="26" ry="6" fill="${dark}"/>`,
  kettle: ({ main, dark }) =>
    `<path d="M24 84 Q16 44 38 34 L62 34 Q84 44 76 84 Z" fill="${main}"/><path d="M34 32 Q34 10 50 10 Q66 10 66 32" fill="none" stroke="#30343a" stroke-width="5"/><path d="M76 58 L94 40" stroke="${dark}" stroke-width="8" stroke-linecap="round"/><rect x="22" y="80" width="56" height="7" rx="2" fill="${dark}"/>`,
  teapot: ({ main, dark }) =>
    `<path d="M20 52 Q4 44 10 66 Q14 76 28 74" fill="none" stroke="${dark}" stroke-width="6"/><ellipse cx="50" cy="60" rx="31" ry="25" fill="${main}"/><path d="M76 60 Q88 56 90 40" fill="none" stroke="${main}" stroke-width="9" stroke-linecap="round"/><ellipse cx="50" cy="37" rx="18" ry="5" fill="${dark}"/><circle cx="50" cy="29" r="5" fill="${dark}"/>`,
  pan: ({ main, dark }) =>
    `<rect x="60" y="46" width="38" height="8" rx="3" fill="${wood}"/><circle cx="38" cy="50" r="32" fill="${dark}"/><circle cx="38" cy="50" r="26" fill="${main}"/>`,
  bowl: ({ main, dark }) =>
    `<path d="M10 44 L90 44 Q84 84 50 84 Q16 84 10 44 Z" fill="${main}"/><ellipse cx="50" cy="44" rx="40" ry="9" fill="${dark}"/>`,
  knife: ({ main }) =>
    `<path d="M10 60 L62 36 L66 46 Q40 66 10 60 Z" fill="${steel}"/><path d="M64 40 L92 26" stroke="${main}" stroke-width="11" stroke-linecap="round"/>`,
  backpack: ({ main, dark }) =>
    `<path d="M38 18 Q38 6 50 6 Q62 6 62 18" fill="none" stroke="${dark}" stroke-width="5"/><rect x="22" y="16" width="56" height="74" rx="16" fill="${main}"/><rect x="30" y="52" width="40" height="30" rx="5" fill="${dark}"/><path d="M28 40 H72" stroke="${dark}" stroke-width="3"/><rect x="46" y="60" width="8" height="8" fill="${steel}"/>`,
  tent: ({ main, dark }) =>
    `<path d="M50 14 L94 84 L6 84 Z" fill="${main}"/><path d="M50 34 L66 84 L34 84 Z" fill="${dark}"/><path d="M50 14 L50 6" stroke="#30343a" stroke-width="3"/>`,
  umbrella: ({ main, dark }) =>
    `<path d="M8 52 Q10 12 50 12 Q90 12 92 52 Q81 42 71 52 Q60 42 50 52 Q40 42 29 52 Q19 42 8 52 Z" fill="${main}"/><path d="M50 12 V82 Q50 92 41 90" fill="none" stroke="${dark}" stroke-width="4"/>`,
  lantern: ({ main, dark }) =>
    `<path d="M34 22 Q50 2 66 22" fill="none" stroke="#30343a" stroke-width="4"/><rect x="30" y="20" width="40" height="10" rx="3" fill="${main}"/><rect x="34" y="30" width="32" height="44" fill="#fbf0bd"/><path d="M50 40 Q60 54 50 64 Q40 54 50 40" fill="#e8822a"/><rect x="28" y="74" width="44" height="14" rx="3" fill="${dark}"/>`,
}
