import type { Drawing } from './goods.ts'

const line = '#30343a'
const leaf = '#4c8c3f'

export const nature: Readonly<Record<string, Drawing>> = {
  cat: ({ main, dark }) =>
    `<path d="M22 14 L38 28 L62 28 L78 14 L82 52 Q82 84 50 84 Q18 84 18 52 Z" fill="${main}"/><circle cx="38" cy="48" r="5" fill="${line}"/><circle cx="62" cy="48" r="5" fill="${line}"/><path d="M45 60 L55 60 L50 66 Z" fill="#e587b1"/><path d="M50 66 Q44 74 38 70 M50 66 Q56 74 62 70 M20 60 L4 56 M20 66 L4 68 M80 60 L96 56 M80 66 L96 68" fill="none" stroke="${dark}" stroke-width="2.5"/>`,
  dog: ({ main, dark }) =>
    `<ellipse cx="50" cy="50" rx="30" ry="34" fill="${main}"/><ellipse cx="20" cy="42" rx="10" ry="24" fill="${dark}"/><ellipse cx="80" cy="42" rx="10" ry="24" fill="${dark}"/><circle cx="38" cy="42" r="5" fill="${line}"/><circle cx="62" cy="42" r="5" fill="${line}"/><ellipse cx="50" cy="60" rx="9" ry="6" fill="${line}"/><path d="M50 66 V74 M40 76 Q50 84 60 76" fill="none" stroke="${line}" stroke-width="3"/>`,
  bird: ({ main, dark }) =>
    `<ellipse cx="46" cy="52" rx="30" ry="22" fill="${main}"/><circle cx="72" cy="34" r="15" fill="${main}"/><path d="M86 32 L98 36 L86 40 Z" fill="#e8822a"/><circle cx="75" cy="30" r="3" fill="${line}"/><path d="M24 48 Q44 40 58 58 Q38 72 24 48" fill="${dark}"/><path d="M18 50 L2 42 L6 62 Z" fill="${dark}"/><path d="M42 74 V90 M52 74 V90" stroke="#e8822a" stroke-width="3"/>`,
  fish: ({ main, dark }) =>
    `<ellipse cx="44" cy="50" rx="34" ry="20" fill="${main}"/><path d="M72 50 L96 30 L96 70 Z" fill="${dark}"/><circle cx="26" cy="44" r="4" fill="${line}"/><path d="M42 36 Q50 50 42 64" fill="none" stroke="${dark}" stroke-width="3"/>`,
  flower: ({ main, dark }) =>
    `<path d="M50 46 V96" stroke="${leaf}" stroke-width="5"/><path d="M50 76 Q72 60 78 74 Q66 84 50 80" fill="${leaf}"/>${[0, 60, 120, 180, 240, 300].map((turn) => `<ellipse cx="50" cy="20" rx="10" ry="15" fill="${main}" transform="rotate(${turn} 50 38)"/>`).join('')}<circle cx="50" cy="38" r="10" fill="${dark}"/>`,
  plant: ({ main, dark }) =>
    `<path d="M28 62 L72 62 L66 94 L34 94 Z" fill="${main}"/><rect x="25" y="56" width="50" height="9" fill="${dark}"/><path d="M50 56 Q46 20 20 14 Q24 46 50 56 Q54 16 82 18 Q78 48 50 56 Q48 26 50 6 Q62 30 50 56" fill="${leaf}"/>`,
  cactus: ({ main, dark }) =>
    `<path d="M30 66 L70 66 L64 94 L36 94 Z" fill="${main}"/><rect x="27" y="60" width="46" height="8" fill="${dark}"/><rect x="41" y="12" width="18" height="48" rx="9" fill="${leaf}"/><path d="M41 44 H28 V28 M59 38 H72 V22" fill="none" stroke="${leaf}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/>`,
  tree: ({ main, dark }) =>
    `<rect x="44" y="58" width="12" height="36" fill="#8a5a34"/><circle cx="50" cy="36" r="28" fill="${main}"/><circle cx="32" cy="48" r="16" fill="${dark}"/><circle cx="68" cy="46" r="16" fill="${main}"/>`,
  cake: ({ main, dark }) =>
    `<rect x="14" y="46" width="72" height="40" rx="4" fill="${main}"/><path d="M14 50 Q14 42 20 42 L80 42 Q86 42 86 50 Q80 62 74 52 Q66 66 58 52 Q50 64 42 52 Q34 66 26 52 Q18 62 14 50" fill="#fbfaf5"/><path d="M50 42 V26" stroke="${dark}" stroke-width="4"/><path d="M50 14 Q56 22 50 26 Q44 22 50 14" fill="#e8822a"/>`,
  bread: ({ main, dark }) =>
    `<path d="M14 50 Q10 28 34 30 L66 30 Q90 28 86 50 L82 78 L18 78 Z" fill="${main}"/><path d="M32 42 L40 56 M48 42 L56 56 M64 42 L72 56" stroke="${dark}" stroke-width="4"/>`,
  pizza: ({ main, dark }) =>
    `<path d="M8 22 Q50 2 92 22 L50 94 Z" fill="#edc56a"/><path d="M8 22 Q50 2 92 22 L88 30 Q50 12 12 30 Z" fill="#9c6b3f"/><circle cx="40" cy="36" r="7" fill="${main}"/><circle cx="62" cy="40" r="7" fill="${main}"/><circle cx="50" cy="62" r="7" fill="${dark}"/>`,
  apple: ({ main, dark }) =>
    `<path d="M50 34 Q26 20 16 44 Q12 76 38 90 Q50 84 62 90 Q88 76 84 44 Q74 20 50 34 Z" fill="${main}"/><path d="M50 34 Q48 20 56 10" fill="none" stroke="${dark}" stroke-width="4"/><path d="M56 18 Q70 8 76 20 Q64 28 56 18" fill="${leaf}"/>`,
  balloon: ({ main, dark, light }) =>
    `<ellipse cx="50" cy="38" rx="28" ry="34" fill="${main}"/><path d="M45 72 L55 72 L50 66 Z" fill="${dark}"/><path d="M50 72 Q42 84 52 98" fill="none" stroke="${line}" stroke-width="2"/><ellipse cx="40" cy="26" rx="6" ry="9" fill="${light}"/>`,
  house: ({ main, dark }) =>
    `<rect x="18" y="44" width="64" height="46" fill="${main}"/><path d="M8 46 L50 10 L92 46 Z" fill="${dark}"/><rect x="44" y="62" width="16" height="28" fill="#6b4a2c"/><rect x="25" y="54" width="13" height="13" fill="#cfe8f2"/><rect x="66" y="54" width="11" height="13" fill="#cfe8f2"/>`,
  mountain: ({ main, dark }) =>
    `<circle cx="80" cy="20" r="10" fill="#f4c63d"/><path d="M2 90 L38 22 L66 70 L76 54 L98 90 Z" fill="${main}"/><path d="M38 22 L50 44 L40 40 L34 48 L27 43 Z" fill="#fbfaf5"/><path d="M66 70 L76 54 L98 90 L76 90 Z" fill="${dark}"/>`,
  boat: ({ main, dark }) =>
    `<path d="M12 66 L88 66 L76 86 L24 86 Z" fill="${dark}"/><path d="M48 8 V64" stroke="#8a5a34" stroke-width="4"/><path d="M52 10 L84 60 L52 60 Z" fill="${main}"/><path d="M44 20 L22 60 L44 60 Z" fill="#fbfaf5"/>`,
}
