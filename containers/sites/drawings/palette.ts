const colours: Readonly<Record<string, string>> = {
  red: '#cc2b2b',
  orange: '#e8822a',
  yellow: '#edc531',
  green: '#3f9a4d',
  teal: '#2b9c9a',
  blue: '#2f66c4',
  purple: '#7a46b0',
  pink: '#e587b1',
  brown: '#8a5a34',
  black: '#2a2d31',
  grey: '#8e969c',
  white: '#f7f7f4',
}

const backgrounds = ['#dfe9ef', '#ece5d6', '#e3ecd9', '#eadfe8'] as const

export interface Shades {
  readonly main: string
  readonly dark: string
  readonly light: string
}

/** @throws Error for a colour that the palette does not have */
export function shadesOf(colour: string): Shades {
  const main = colours[colour]
  if (main === undefined) throw new Error(`The palette has no ${colour}: add it, or take another colour.`)
  return { main, dark: mix(main, 0, 0.35), light: mix(main, 255, 0.45) }
}

export function backgroundOf(picture: string): string {
  const sum = [...picture].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  return backgrounds[sum % backgrounds.length] as string
}

function mix(colour: string, towards: number, share: number): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return `#${parts
    .map((part) =>
      Math.round(part + (towards - part) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
