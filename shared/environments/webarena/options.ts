import { z } from 'zod'
import type { Benchmark } from '../browser/evaluation/compare-answer.ts'

// Milliseconds for a task's evaluation, which opens pages of its own.
export const evaluationTimeLimit = 300_000

// Seconds for an answer of the host. A session makes a call up to three times; the last step has a minute for its
// action, and then its evaluation.
export const webarenaAnswersWithin = Math.ceil((60_000 + evaluationTimeLimit) / 3 / 1000) + 10

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
        'Observation of a page: its accessibility tree, its HTML, a marked screenshot with the list of its marks, or a screenshot alone.',
      ),
    action_set: z
      .enum(['id', 'playwright'])
      .default('id')
      .describe('Form of actions: elements by the ids of the observation, or Playwright calls.'),
    viewport: z
      .strictObject({ width: pixels.default(1280), height: pixels.default(height) })
      .prefault({})
      .describe('Size in pixels. A task’s own viewport takes precedence.'),
    viewport_only: z
      .boolean()
      .default(true)
      .describe('True to show only the viewport as text; marks always cover the viewport only.'),
    screenshots: z
      .boolean()
      .default(false)
      .describe(
        'True to attach a screenshot to each observation; `image_som` and `image` always attach one.',
      ),
    captions: z
      .boolean()
      .default(false)
      .describe('True to let the role `captioner` describe the pictures of pages and of the task.'),
    compare: z
      .enum(['benchmark', 'exact'])
      .default('benchmark')
      .describe(
        'The rules that compare answers and pages with the references. `exact`: ExACT’s, in which must_include compares numbers by value, such as "1" in "1.0".',
      ),
    early_stop: z
      .strictObject({
        steps: z.int().positive().max(10_000).default(30).describe('Maximum number of actions.'),
        parsing_failures: z
          .int()
          .positive()
          .default(3)
          .describe('Parsing failures in a row that end an episode.'),
        repeated_actions: z
          .int()
          .positive()
          .default(repeated)
          .describe('Equal actions in a row that end an episode; for typing into one element, in total.'),
      })
      .prefault({})
      .describe('Conditions that stop an episode and score its current state.'),
  })
}

export type WebarenaOptions = z.infer<ReturnType<typeof webarenaOptions>>
