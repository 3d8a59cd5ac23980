import type { PresetInfo } from '../contracts/preset.ts'

/** A paper's settings: what its code ran with, number by number, and what of that cannot be repeated here. */
export type Preset = Omit<PresetInfo, 'object'>

/** Of every preset: texts of other projects are not copied. */
export const ownWording = {
  text: 'Prompts and worked examples are worded by Espalier: they ask for the same things in the same order, in other words.',
}
