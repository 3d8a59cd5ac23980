import type { EnvironmentGuide } from '../../environments/environment.ts'
import type { Prompt } from './prompt.ts'

/** For agents that think before each action, in any environment. */
export function reactPrompt({ rules, example }: EnvironmentGuide): Prompt {
  return {
    instructions: `${rules}

Answer with one thought and one action, in this form:
Thought: <what you conclude and what comes next>
Action: <the one thing you do>`,
    example,
  }
}
