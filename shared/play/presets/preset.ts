import type { PresetInfo } from '../../core/contracts/preset.ts'

/** A paper's settings: each number that its code ran with, and the differences that cannot be reproduced here. */
export type Preset = Omit<PresetInfo, 'object'>

/** Part of every preset: texts of other projects are not copied. */
export const ownWording = {
  text: 'Prompts and worked examples are worded by Espalier: they ask for the same things in the same order, in other words.',
}
