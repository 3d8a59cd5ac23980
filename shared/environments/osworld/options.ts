import { z } from 'zod'

export const osworldOptions = z
  .strictObject({
    observation: z
      .enum(['a11y_tree', 'screenshot', 'screenshot_a11y_tree', 'som'])
      .default('a11y_tree')
      .describe(
        'Observation of the desktop: its accessibility tree as a table, a screenshot, both, or a screenshot with numbered marks and a table of them.',
      ),
    action_space: z
      .enum(['pyautogui', 'computer_13'])
      .default('pyautogui')
      .describe('Form of actions: Python code with pyautogui, or JSON with one of 13 kinds.'),
    tree_tokens: z
      .int()
      .min(100)
      .max(100_000)
      .default(10_000)
      .describe('Maximum GPT-4 tokens of the accessibility tree’s table; longer tables are cut.'),
    max_steps: z.int().positive().max(10_000).default(15).describe('Maximum number of actions.'),
    pause: z
      .number()
      .min(0)
      .max(60)
      .default(0)
      .describe('Seconds to wait after each action before a screenshot.'),
    settle_limit: z
      .number()
      .min(0)
      .max(60)
      .default(5)
      .describe('Maximum further seconds to wait until two consecutive screenshots are equal.'),
  })
  .refine(({ observation, action_space: space }) => observation !== 'som' || space === 'pyautogui', {
    path: ['action_space'],
    message: 'must be pyautogui with the observation som: its code names marks',
  })

export type OsworldOptions = z.infer<typeof osworldOptions>
