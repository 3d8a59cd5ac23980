import type { Picture } from '../../core/contracts/picture.ts'

interface Size {
  width: number
  height: number
}

interface Family {
  pattern: RegExp
  tokens: (size: Size) => number
}

/**
 * Families by the model's id, the first that fits. Sources: OpenAI's guide to images ("Calculating costs"): tiles of
 * 512 pixels after a fit into 2,048 and 768, or patches of 32 pixels, at most 1,536, times a factor; Anthropic's
 * guide to vision: width × height / 750 after a fit into 1,568; Gemini's guide to tokens: 258 for each tile of 768;
 * Qwen2-VL's card: a patch of 28 pixels a token, 16,384 at most.
 */
const families: readonly Family[] = [
  { pattern: /^gpt-4o-mini/, tokens: (size) => 2833 + 5667 * tilesOf(size) },
  { pattern: /^(gpt-4\.1-mini|gpt-5[\d.]*-mini)/, tokens: (size) => Math.ceil(1.62 * patchesOf(size)) },
  { pattern: /^(gpt-4\.1-nano|gpt-5[\d.]*-nano)/, tokens: (size) => Math.ceil(2.46 * patchesOf(size)) },
  { pattern: /^o4-mini/, tokens: (size) => Math.ceil(1.72 * patchesOf(size)) },
  {
    pattern: /^gpt-5/,
    tokens: (size) => Math.max(70 + 140 * tilesOf(size), Math.ceil(1.2 * patchesOf(size))),
  },
  { pattern: /^o[13]/, tokens: (size) => 75 + 150 * tilesOf(size) },
  { pattern: /^gpt-4/, tokens: (size) => 85 + 170 * tilesOf(size) },
  { pattern: /claude/, tokens: claudeTokens },
  { pattern: /gemini/, tokens: geminiTokens },
  { pattern: /qwen/, tokens: qwenTokens },
]

/** Minimum for a model of no known family: that of LLaVA-NeXT, whose pictures use most tokens among common models. */
const unknownAtLeast = 2880

const assumed: Size = { width: 1280, height: 1280 }

/**
 * The tokens of a picture in a prompt, on the high side, at the highest detail. Both the reservation of money and the
 * cutting of prompts use it.
 *
 * @param model - as its endpoint calls it; a provider's prefix (`openai/gpt-4o`) is ignored. Absent: the most of any
 */
export function pictureTokens({ width, height }: Pick<Picture, 'width' | 'height'>, model = ''): number {
  const size = width === undefined || height === undefined ? assumed : { width, height }
  const name = (model.split('/').at(-1) ?? model).replace(/^ft:/, '').toLowerCase()
  const family = families.find(({ pattern }) => pattern.test(name))
  return family === undefined ? Math.max(unknownAtLeast, qwenTokens(size)) : family.tokens(size)
}

function tilesOf(size: Size): number {
  const within = shrinkTo(size, 2048)
  const { width, height } = scale(within, Math.min(1, 768 / Math.min(within.width, within.height)))
  return Math.ceil(width / 512) * Math.ceil(height / 512)
}

function patchesOf({ width, height }: Size): number {
  return Math.min(1536, Math.ceil(width / 32) * Math.ceil(height / 32))
}

function claudeTokens(size: Size): number {
  const { width, height } = shrinkTo(size, 1568)
  return Math.ceil((width * height) / 750)
}

function geminiTokens({ width, height }: Size): number {
  if (width <= 384 && height <= 384) return 258
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768)
}

function qwenTokens({ width, height }: Size): number {
  return Math.min(16_384, Math.max(4, Math.ceil(width / 28) * Math.ceil(height / 28)))
}

function shrinkTo(size: Size, longest: number): Size {
  return scale(size, Math.min(1, longest / Math.max(size.width, size.height)))
}

function scale({ width, height }: Size, factor: number): Size {
  return { width: width * factor, height: height * factor }
}
