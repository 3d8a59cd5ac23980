import { dirname } from 'node:path'
import type { ToolLine } from '../tool-lines.ts'

/**
 * Reads torchtune's output: its bar, the figures of each step by its `StdoutLogger`, and the paths of saved
 * checkpoints.
 *
 * @param from - the step it resumes from
 */
export function torchtuneLines(from: number, epochs: number): (line: string) => ToolLine | null {
  let at = from
  let steps = 0
  let epoch: string | null = null
  return (line) => {
    const [, perEpoch] = /^\d+\|\d+\|Loss: .*\|\s*\d+\/(\d+) \[/.exec(line) ?? []
    if (perEpoch !== undefined) {
      steps = Number(perEpoch) * epochs
      return null
    }
    const [, folder] = /saved to (\S+\/epoch_\d+)\//.exec(line) ?? []
    if (folder !== undefined) {
      epoch = folder
      return null
    }
    const [, state] = /saved to (\S+\/recipe_state\.pt)\s*$/.exec(line) ?? []
    if (state !== undefined && epoch !== null) {
      return { event: 'checkpoint', step: at, folder: epoch, beside: [dirname(state)] }
    }
    const [, step, figures = ''] = /^Step (\d+) \| (.+)$/.exec(line) ?? []
    if (step === undefined) return null
    at = Number(step)
    const { loss, lr = null, ...values } = figuresIn(figures)
    if (loss === undefined) return null
    if (!Number.isFinite(loss)) {
      return { event: 'failed', reason: 'not_finite', message: `The loss was not finite at step ${at}.` }
    }
    const finite = Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)))
    const accuracy = values['rewards/accuracies'] ?? null
    return {
      event: 'point',
      step: at,
      steps,
      loss,
      accuracy,
      learning_rate: lr,
      tokens: 0,
      values: finite,
    }
  }
}

/** `loss:1.25 lr:2e-05 rewards/accuracies:tensor(0.5000)` */
function figuresIn(text: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [, name = '', figure = ''] of text.matchAll(/(\S+?):(?:tensor\()?([^\s,)]+)/g)) {
    found[name] = /^-?inf/i.test(figure) ? Number.POSITIVE_INFINITY : Number(figure)
  }
  return found
}
