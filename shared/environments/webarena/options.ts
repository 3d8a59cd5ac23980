import { z } from 'zod'
import type { Benchmark } from '../browser/evaluation/compare-answer.ts'

const published = {
  webarena: { observation: 'accessibility_tree', height: 720, repeated: 3 },
  visualwebarena: { observation: 'image_som', height: 2048, repeated: 5 },
} as const

export function webarenaOptions(benchmark: Benchmark) {
  const { observation, height, repeated } = published[benchmark]
  const pixels = z.int().min(100).max(4096)
  return z.strictObject({
    observation: z
      .enum(['accessibility_tree', 'html', 'image_som', 'image'])
      .default(observation)
      .describe(
        'What is shown of a page: its accessibility tree, its HTML, a list of its marks with a screenshot that has the marks on it, or a screenshot alone.',
      ),
    action_set: z
      .enum(['id', 'playwright'])
      .default('id')
      .describe('How actions are written: elements by the ids of the observation, or calls of Playwright.'),
    viewport: z
      .strictObject({ width: pixels.default(1280), height: pixels.default(height) })
      .prefault({})
      .describe('Pixels. A task that states its own has that.'),
    viewport_only: z
      .boolean()
      .default(true)
      .describe('Whether only what is in the viewport is shown as text; marks are always of it.'),
    screenshots: z
      .boolean()
      .default(false)
      .describe('Whether a screenshot comes with each observation. With marks, and alone, one always does.'),
    captions: z
      .boolean()
      .default(false)
      .describe('Whether the role `captioner` describes the pictures of pages, and those of the task.'),
    compare: z
      .enum(['benchmark', 'exact'])
      .default('benchmark')
      .describe(
        'The rules that compare answers and pages with the references. `exact`: ExACT’s, by which must_include finds numbers by their value, "1" in "1.0".',
      ),
    early_stop: z
      .strictObject({
        steps: z.int().positive().max(10_000).default(30).describe('Actions at most.'),
        parsing_failures: z.int().positive().default(3).describe('In a row.'),
        repeated_actions: z
          .int()
          .positive()
          .default(repeated)
          .describe('The same action in a row; typing into the same element, in all.'),
      })
      .prefault({})
      .describe('When an episode is stopped and scored as it stands.'),
  })
}

export type WebarenaOptions = z.infer<ReturnType<typeof webarenaOptions>>
