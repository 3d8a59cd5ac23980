import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { programVariables } from '../../../core/programs/program-variables.ts'
import type { AskedTrainerJob } from '../trainer.ts'

const run = promisify(execFile)

const answerSchema = z.object({ refused: z.string().nullable(), sharded: z.boolean() })

type Answer = z.infer<typeof answerSchema>

// Loading accelerate takes seconds, on a busy machine a minute.
const patience = 180_000

export const reportToSchema = z.enum(['tensorboard', 'wandb', 'mlflow'])

export interface TrainerSettings {
  reportTo: readonly z.infer<typeof reportToSchema>[]
  /** The configuration file of `accelerate launch`; null: a process for each GPU. */
  accelerate: string | null
}

/** Checks the operator's settings by the trainer's own packages, once for each state of the configuration file. */
export function openSettingsCheck(program: string, { accelerate, reportTo }: TrainerSettings) {
  const answers = new Map<string, Promise<Answer>>()

  async function ask(python: string): Promise<Answer> {
    const asked = JSON.stringify({ report_to: reportTo, accelerate })
    const { stdout } = await run(python, [join(program, 'settings.py'), asked], {
      env: programVariables(),
      timeout: patience,
    })
    return answerSchema.parse(JSON.parse(stdout))
  }

  async function answerOf(python: string): Promise<Answer> {
    const changed =
      accelerate === null
        ? 0
        : await stat(accelerate).then(
            (file) => file.mtimeMs,
            () => 0,
          )
    const key = `${python} ${changed}`
    const known = answers.get(key) ?? ask(python)
    answers.set(key, known)
    try {
      const answer = await known
      // A missing package may be installed at any time.
      if (answer.refused !== null) answers.delete(key)
      return answer
    } catch (error) {
      answers.delete(key)
      throw error
    }
  }

  return async (python: string, { lora }: Pick<AskedTrainerJob, 'lora'>): Promise<void> => {
    if (accelerate === null && reportTo.length === 0) return
    const { refused, sharded } = await answerOf(python)
    if (refused !== null) {
      throw new EspalierError('not_supported', `The local trainer of trainers.json: ${refused}`, {
        param: 'trainer',
      })
    }
    if (!sharded || lora?.merge !== true) return
    throw new EspalierError(
      'invalid_request',
      'The processes of this trainer share the weights, so none can add the adapter to them. Say "merge": false; vLLM serves the adapter beside its base.',
      { param: 'lora.merge' },
    )
  }
}
