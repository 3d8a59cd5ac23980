import type { LoopSplits } from '../../core/contracts/loop.ts'
import type { TasksOfLoop } from './check-loop.ts'
import type { LoopTask } from './loop-ports.ts'

/**
 * Counts the different tasks of each selection, and the held-out tasks that are a training task with other names.
 *
 * @returns null if the environment has no forms of tasks
 */
export async function countRenamed({ formOf, train, dev, test }: TasksOfLoop): Promise<LoopSplits | null> {
  if (formOf === undefined) return null
  const formsOf = async (tasks: readonly LoopTask[]) => {
    const forms: string[] = []
    for (const { id } of tasks) forms.push(await formOf(id))
    return forms
  }
  const trained = new Set(await formsOf(train))
  const heldOut = async (tasks: readonly LoopTask[]) => {
    const forms = await formsOf(tasks)
    return {
      tasks: forms.length,
      different: new Set(forms).size,
      in_training: forms.filter((form) => trained.has(form)).length,
    }
  }
  return {
    train: { tasks: train.length, different: trained.size },
    dev: dev.length === 0 ? null : await heldOut(dev),
    test: await heldOut(test),
  }
}
