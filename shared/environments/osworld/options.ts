import { z } from 'zod'

export const osworldOptions = z
  .strictObject({
    observation: z
      .enum(['a11y_tree', 'screenshot', 'screenshot_a11y_tree', 'som'])
      .default('a11y_tree')
      .describe(
        'What is shown of the desktop: its accessibility tree as a table, a screenshot, both, or a screenshot with numbered marks and a table of them.',
      ),
    action_space: z
      .enum(['pyautogui', 'computer_13'])
      .default('pyautogui')
      .describe('How actions are written: Python code with pyautogui, or JSON with one of 13 kinds.'),
    tree_tokens: z
      .int()
      .min(100)
      .max(100_000)
      .default(10_000)
      .describe('Tokens of GPT-4 that the table of the accessibility tree may have. The rest is cut.'),
    max_steps: z.int().positive().max(10_000).default(15).describe('Actions at most.'),
    pause: z
      .number()
      .min(0)
      .max(60)
      .default(0)
      .describe('Seconds that are waited after each action before the screen is looked at.'),
    settle_limit: z
      .number()
      .min(0)
      .max(60)
      .default(5)
      .describe(
        'Seconds at most that are waited after that until two pictures of the screen in a row are equal.',
      ),
  })
  .refine(({ observation, action_space: space }) => observation !== 'som' || space === 'pyautogui', {
    path: ['action_space'],
    message: 'must be pyautogui with the observation som: its code names marks',
  })

export type OsworldOptions = z.infer<typeof osworldOptions>
