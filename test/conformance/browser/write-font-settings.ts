import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Fonts with the widths of those that the pages were recorded with (Debian's fonts-liberation 1.07.4), by the names that pages ask
 * for. Without them boxes would be those of whatever fonts a machine has.
 */
const families: Record<string, string[]> = {
  Tinos: ['serif', 'Times', 'Times New Roman', 'Liberation Serif'],
  Arimo: ['sans-serif', 'system-ui', 'Arial', 'Helvetica', 'Liberation Sans'],
  Cousine: ['monospace', 'Courier', 'Courier New', 'Liberation Mono'],
}

/**
 * Chromium sizes text fields by the box around all glyphs of their font, which is no matter of widths. These are xMin and xMax in the
 * table `head` of LiberationSans-Regular.ttf 1.07.4; with that font itself all boxes are the same as with this.
 */
const recordedBoxes: Record<string, { left: number; right: number }> = {
  Arimo: { left: -416, right: 2151 },
}
const headerLength = 12
const tableLength = 16

/** Settings by which Chromium takes these fonts, so that boxes are equal on every machine. Answers the path of the file. */
export async function writeFontSettings(folder: string): Promise<string> {
  const fonts = join(folder, 'fonts')
  await mkdir(fonts)
  for (const family of Object.keys(families)) await copyFonts(family, fonts)
  const aliases = Object.entries(families).flatMap(([family, names]) =>
    names.map(
      (name) =>
        `<alias binding="same"><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
    ),
  )
  const lines = [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    `<dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${join(folder, 'cache')}</cachedir>`,
    ...aliases,
    '<match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit>',
    '<edit name="hintstyle" mode="assign"><const>hintnone</const></edit></match></fontconfig>',
  ]
  const file = join(folder, 'fonts.conf')
  await writeFile(file, lines.join('\n'))
  return file
}

async function copyFonts(family: string, into: string): Promise<void> {
  const name = `@expo-google-fonts/${family.toLowerCase()}/package.json`
  const folder = dirname(fileURLToPath(import.meta.resolve(name)))
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.ttf')) continue
    const font = await readFile(join(folder, file))
    const box = recordedBoxes[family]
    if (box !== undefined) setBox(font, box)
    await writeFile(join(into, file.replaceAll('/', '-')), font)
  }
}

/** Writes the recorded box into the font's table `head`. */
function setBox(font: Buffer, { left, right }: { left: number; right: number }): void {
  for (let table = 0; table < font.readUInt16BE(4); table++) {
    const at = headerLength + table * tableLength
    if (font.toString('latin1', at, at + 4) !== 'head') continue
    const head = font.readUInt32BE(at + 8)
    font.writeInt16BE(left, head + 36)
    font.writeInt16BE(right, head + 40)
  }
}
